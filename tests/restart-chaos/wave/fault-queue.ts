/**
 * Fires the faults that tasks ask for: one at a time, in the order in which they come due. A fault that comes due
 * while another is in progress waits for it. Which are left out, and why: doc/decisions/one-crossing-per-task.md.
 */
import { plannedSteps } from '../faults/planned-steps.ts';
import type { PlannedFault } from '../model/fault.ts';
import { formatFaultRef, type TaskId } from '../model/ids.ts';
import type { TaskPlan } from '../model/plan.ts';
import { sleep } from '../process/wait.ts';
import { FaultMoments } from './fault-moments.ts';
import { injectFault, type FaultOutcome } from './inject.ts';
import type { OpenTask } from './open-task.ts';
import type { CommitInHand } from './settle-commit.ts';
import { snapshotTask } from './snapshot.ts';
import { readBack } from './stage-company.ts';
import type { Stage } from './stage.ts';

/** A fault whose time is known, or whose moment has come. */
export interface DueFault {
  readonly planned: PlannedFault;
  readonly task: TaskId;
  readonly dueAtMs: number;
  /** The commit at which it strikes; null for any other trigger. */
  readonly commit: CommitInHand | null;
  /** Called when it has struck, or when it is known that it does not. */
  readonly settled: () => void;
}

/** How often the queue looks whether something is due. */
const lookIntervalMs = 20;

/**
 * Snapshots are taken this long before a fault is due, so that the fault itself is on time and a replay of a replay
 * does not drift. They took 20 to 200 ms for four tasks here.
 */
const snapshotLeadMs = 750;

/** The faults of one wave that have been asked for and not fired yet. */
export class FaultQueue {
  readonly #stage: Stage;
  readonly #moments: FaultMoments;
  #waiting: DueFault[] = [];
  #fired = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#moments = new FaultMoments(stage, (due) => this.#add(due));
  }

  /** Waits for the moments that a task's faults are to strike at. Call it before its issue exists. */
  async expect(plan: TaskPlan): Promise<void> {
    await this.#moments.expect(plan);
  }

  /** Schedules the faults of a task whose issue was just created. */
  request(task: OpenTask): void {
    for (const planned of task.plan.faults) {
      if (planned.trigger.on !== 'time') continue;
      const dueAtMs = task.createdAtMs + planned.trigger.offsetMs;
      this.#add({ planned, task: task.plan.id, dueAtMs, commit: null, settled: () => undefined });
    }
  }

  /** A task that is at rest meets no moment any more: what it still waited for is reported as left out. */
  async withdraw(plan: TaskPlan): Promise<void> {
    for (const planned of await this.#moments.withdraw(plan.id)) {
      this.#skip(planned, plan.id, 'the moment did not come before its task was at rest');
    }
  }

  /** Fires until the signal comes; a fault under way then is left where it is. */
  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const next = this.#waiting[0];
      const waitMs = next === undefined ? lookIntervalMs : this.#waitMs(next);
      if (next === undefined || waitMs > 0) {
        await sleep(Math.min(lookIntervalMs, waitMs), stop).catch(() => undefined);
        continue;
      }
      this.#waiting.shift();
      await this.#fireOrSkip(next, stop);
    }
  }

  #add(due: DueFault): void {
    this.#waiting = [...this.#waiting, due].toSorted((left, right) => left.dueAtMs - right.dueAtMs);
  }

  #waitMs({ planned, dueAtMs }: DueFault): number {
    const leadMs = planned.trigger.on === 'time' ? snapshotLeadMs : 0;
    return dueAtMs - leadMs - this.#stage.clock.nowMs();
  }

  async #fireOrSkip(due: DueFault, stop: AbortSignal): Promise<void> {
    const { emit, gate, control } = this.#stage;
    emit({ kind: 'fault_due', fault: due.planned.kind, requestedBy: due.task });
    try {
      const outcome = await gate.striking(async () => {
        // Asked only when it is this fault's turn: the one before it may have crossed the task.
        const reason = await this.#reasonToSkip(due);
        return reason === null ? this.#fire(due, stop) : { kind: 'skipped' as const, reason };
      });
      if (outcome.kind === 'skipped') this.#skip(due.planned, due.task, outcome.reason);
      if (outcome.kind === 'landed') await readBack(this.#stage);
    } finally {
      due.settled();
      // Nothing is held any more when the fault landed; else the plane must not wait for us.
      if (due.commit !== null) await control.tap?.ask({ do: 'let_go' }).catch(() => undefined);
    }
  }

  async #fire(due: DueFault, stop: AbortSignal): Promise<FaultOutcome> {
    const stage = this.#stage;
    const { planned, task, dueAtMs, commit, settled } = due;
    this.#fired += 1;
    const open = stage.tasks.all().filter((each) => each.rest === null);
    const request = {
      ref: formatFaultRef(this.#fired),
      planned,
      steps: plannedSteps(planned, stage.numbers, stage.plan.target),
      requestedBy: task,
      openTasks: open.map((each) => each.plan.id),
      commit,
      onStruck: settled,
    };
    await stage.control.tap?.ask({ do: 'suspend', suspended: true });
    try {
      await Promise.all(open.map((each) => snapshotTask(stage, each, 'before')));
      const earlyMs = dueAtMs - stage.clock.nowMs();
      if (earlyMs > 0) await sleep(earlyMs, stop).catch(() => undefined);
      const outcome = await stage.control.duringFault(() => injectFault(stage, request, stop));
      if (outcome.kind === 'not_landed') await this.#notLanded(planned, outcome.reason);
      if (outcome.kind !== 'landed') return outcome;
      for (const each of open) if (each.plan.id !== task) each.crossedByAnother = true;
      await Promise.all(open.map((each) => snapshotTask(stage, each, 'after')));
      return outcome;
    } finally {
      await stage.control.tap?.ask({ do: 'suspend', suspended: false }).catch(() => undefined);
    }
  }

  async #reasonToSkip({ task: id, commit }: DueFault): Promise<string | null> {
    const task = this.#stage.tasks.find(id);
    if (task !== null && task.rest !== null) return 'its task was at rest before';
    if (task?.crossedByAnother === true) {
      return 'its task was crossed already by a fault that another task asked for';
    }
    if (commit === null) return null;
    const holding = await this.#stage.control.tap?.ask({ do: 'is_holding' });
    return holding === true ? null : 'the connection of its commit went away before the fault could strike';
  }

  #skip(planned: PlannedFault, task: TaskId, reason: string): void {
    this.#stage.emit({ kind: 'fault_skipped', fault: planned.kind, requestedBy: task, reason });
  }

  async #notLanded(planned: PlannedFault, reason: string): Promise<void> {
    const { control, emit } = this.#stage;
    const message = `fault ${planned.kind} did not land: ${reason}`;
    emit({ kind: 'harness_error', code: 'fault-not-landed', message });
    await control.tap?.ask({ do: 'let_go' }).catch(() => undefined);
    const answers = control.isUp() && (await control.server().askHealth(healthLookMs)) === 'ready';
    if (!answers) await control.recover(message);
  }
}

// Generous: the answer decides whether the one recovery of the wave is used.
const healthLookMs = 5_000;
