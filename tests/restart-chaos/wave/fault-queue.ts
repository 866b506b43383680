/**
 * Fires the faults that tasks ask for: one at a time, in the order in which they come due. A fault that comes due
 * while another is in progress waits for it. Which are left out, and why: doc/decisions/one-crossing-per-task.md.
 */
import { plannedSteps } from '../faults/planned-steps.ts';
import { isMoment, isProviderFault, type PlannedFault } from '../model/fault.ts';
import { formatFaultRef, type TaskId } from '../model/ids.ts';
import type { TaskPlan } from '../model/plan.ts';
import { sleep } from '../process/wait.ts';
import { dueAtTime, type DueFault } from './due-fault.ts';
import { FaultMoments } from './fault-moments.ts';
import { injectFault, type FaultOutcome } from './inject.ts';
import type { OpenTask } from './open-task.ts';
import { snapshotTask } from './snapshot.ts';
import { readBack } from './stage-company.ts';
import type { Stage } from './stage.ts';

/** Nothing is due: what is added wakes the queue. */
const idleWaitMs = 3_600_000;

/**
 * Snapshots are taken this long before a fault is due, so that the fault itself is on time and a replay of a replay
 * does not drift. They took 20 to 200 ms for four tasks here.
 */
const snapshotLeadMs = 750;

type Fired = FaultOutcome | { readonly kind: 'skipped'; readonly reason: string };

interface AwaitingStop {
  readonly planned: PlannedFault;
  readonly delayMs: number;
}

interface Unsettled {
  left: number;
  readonly none: Promise<void>;
  readonly tell: () => void;
}

/** The faults of one wave that have been asked for and not fired yet. */
export class FaultQueue {
  readonly #stage: Stage;
  readonly #moments: FaultMoments;
  #waiting: DueFault[] = [];
  /** Aborted when a fault is added: whoever waits for the next one looks again. */
  #added = new AbortController();
  /** How many faults of a task are neither over nor left out, and who wants to know when none is. */
  readonly #unsettled = new Map<TaskId, Unsettled>();
  /** Faults whose task the board has not stopped yet. */
  readonly #awaitingStop = new Map<TaskId, readonly AwaitingStop[]>();
  #fired = 0;
  #stopped = false;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#moments = new FaultMoments(stage, {
      due: (due) => this.#add(due),
      leftOut: ({ planned, task }, reason) => this.#skip(planned, task, reason),
    });
  }

  /** Waits for the moments that a task's faults are to strike at. Call it before its issue exists. */
  async expect(plan: TaskPlan): Promise<void> {
    if (plan.faults.length > 0) {
      let tell = (): void => undefined;
      const none = new Promise<void>((resolve) => {
        tell = resolve;
      });
      this.#unsettled.set(plan.id, { left: plan.faults.length, none, tell });
    }
    const waiting = plan.faults.flatMap((planned) =>
      planned.trigger.on === 'stop' ? [{ planned, delayMs: planned.trigger.delayMs }] : [],
    );
    if (waiting.length > 0) this.#awaitingStop.set(plan.id, waiting);
    await this.#moments.expect(plan);
  }

  /** Schedules the faults of a task that wait for its Stop, from the plane's answer on; null: it did not accept it. */
  stopped(plan: TaskPlan, acceptedAtMs: number | null): void {
    const waiting = this.#awaitingStop.get(plan.id) ?? [];
    this.#awaitingStop.delete(plan.id);
    for (const { planned, delayMs } of waiting) {
      if (acceptedAtMs === null) this.#skip(planned, plan.id, 'the plane did not accept the Stop');
      else this.#add(dueAtTime({ planned, task: plan.id, dueAtMs: acceptedAtMs + delayMs }));
    }
  }

  /** Schedules the faults of a task whose issue was just created. */
  request({ plan, createdAtMs }: OpenTask): void {
    for (const planned of plan.faults) {
      if (planned.trigger.on !== 'time') continue;
      this.#add(dueAtTime({ planned, task: plan.id, dueAtMs: createdAtMs + planned.trigger.offsetMs }));
    }
  }

  /** Resolves when every fault that the task asked for is over or left out. Never rejects. */
  async settled(task: TaskId): Promise<void> {
    await this.#unsettled.get(task)?.none;
  }

  /** A task that is at rest meets no moment any more: what it still waited for is reported as left out. */
  async withdraw(plan: TaskPlan): Promise<void> {
    for (const { planned, task } of await this.#moments.withdraw(plan.id)) {
      this.#skip(planned, task, 'the moment did not come before its task was at rest');
    }
    this.#leaveOutStops(plan.id, 'Stop was not pressed before its task was at rest');
  }

  /** Fires until the signal comes; a fault under way then is left where it is, and nobody stands still for one any more. */
  async run(stop: AbortSignal): Promise<void> {
    try {
      while (!stop.aborted) {
        const next = this.#waiting[0];
        const waitMs = next === undefined ? idleWaitMs : this.#waitMs(next);
        if (next === undefined || waitMs > 0) {
          await this.#pause(waitMs, stop);
          continue;
        }
        this.#waiting.shift();
        await this.#fireOrSkip(next, stop);
      }
    } finally {
      await this.#abandon();
    }
  }

  /** Until the time is over, another fault is asked for, or the wave stops. */
  async #pause(ms: number, stop: AbortSignal): Promise<void> {
    this.#added = new AbortController();
    await sleep(ms, AbortSignal.any([stop, this.#added.signal])).catch(() => undefined);
  }

  async #abandon(): Promise<void> {
    this.#stopped = true;
    for (const { planned, task } of await this.#moments.withdraw(null)) {
      this.#skip(planned, task, 'the wave ended before the moment came');
    }
    for (const task of this.#awaitingStop.keys()) this.#leaveOutStops(task, 'the wave ended before Stop was pressed');
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const due of waiting) await this.#drop(due);
  }

  #leaveOutStops(task: TaskId, reason: string): void {
    const waiting = this.#awaitingStop.get(task) ?? [];
    this.#awaitingStop.delete(task);
    for (const { planned } of waiting) this.#skip(planned, task, reason);
  }

  /** Nothing strikes any more: whoever stands still for it goes on, and nobody waits for it. */
  async #drop(due: DueFault): Promise<void> {
    await due.over();
    this.#skip(due.planned, due.task, this.#reasonToSkip(due) ?? 'the wave ended before it could strike');
  }

  #add(due: DueFault): void {
    if (this.#stopped) void this.#drop(due);
    else this.#waiting = [...this.#waiting, due].toSorted((left, right) => left.dueAtMs - right.dueAtMs);
    this.#added.abort();
  }

  #waitMs({ planned, dueAtMs }: DueFault): number {
    const leadMs = isMoment(planned.trigger) ? 0 : snapshotLeadMs;
    return dueAtMs - leadMs - this.#stage.clock.nowMs();
  }

  async #fireOrSkip(due: DueFault, stop: AbortSignal): Promise<void> {
    const { emit, gate } = this.#stage;
    emit({ kind: 'fault_due', fault: due.planned.kind, requestedBy: due.task });
    let outcome: Fired;
    try {
      outcome = await gate.striking(async () => {
        // Asked only when it is this fault's turn: the one before it may have crossed the task.
        const reason = this.#reasonToSkip(due);
        return reason === null ? this.#fire(due, stop) : { kind: 'skipped', reason };
      });
    } finally {
      await due.over();
    }
    if (outcome.kind === 'skipped') return this.#skip(due.planned, due.task, outcome.reason);
    if (outcome.kind === 'landed') await readBack(this.#stage);
    this.#settle(due.task);
  }

  async #fire(due: DueFault, stop: AbortSignal): Promise<Fired> {
    const stage = this.#stage;
    const concerned = (each: OpenTask): boolean => !isProviderFault(due.planned.kind) || each.plan.id === due.task;
    const open = stage.tasks.all().filter((each) => each.rest === null && concerned(each));
    const keep = due.commit?.commit.rule.id ?? null;
    const outcome = await stage.control.duringFault(async (): Promise<Fired> => {
      await Promise.all(open.map((each) => snapshotTask(stage, each, 'before')));
      const earlyMs = due.dueAtMs - stage.clock.nowMs();
      if (earlyMs > 0) await sleep(earlyMs, stop).catch(() => undefined);
      const reason = await due.begins();
      return reason === null ? this.#inject(due, open, stop) : { kind: 'skipped', reason };
    }, keep);
    if (outcome.kind === 'not_landed') await this.#notLanded(due, outcome.reason);
    if (outcome.kind !== 'landed') return outcome;
    for (const each of open) if (each.plan.id !== due.task) each.crossedByAnother = true;
    await Promise.all(open.map((each) => snapshotTask(stage, each, 'after')));
    return outcome;
  }

  async #inject(due: DueFault, open: readonly OpenTask[], stop: AbortSignal): Promise<FaultOutcome> {
    const { planned, task, commit, struck } = due;
    const { numbers, plan } = this.#stage;
    this.#fired += 1;
    const request = {
      ref: formatFaultRef(this.#fired),
      planned,
      steps: plannedSteps(planned, numbers, plan.target),
      requestedBy: task,
      openTasks: open.map((each) => each.plan.id),
      commit,
      onStruck: struck,
    };
    return injectFault(this.#stage, request, stop);
  }

  #reasonToSkip({ task: id }: DueFault): string | null {
    const task = this.#stage.tasks.find(id);
    if (task !== null && task.rest !== null) return 'its task was at rest before';
    if (task?.crossedByAnother !== true) return null;
    return 'its task was crossed already by a fault that another task asked for';
  }

  #skip(planned: PlannedFault, task: TaskId, reason: string): void {
    this.#stage.emit({ kind: 'fault_skipped', fault: planned.kind, requestedBy: task, reason });
    this.#settle(task);
  }

  #settle(task: TaskId): void {
    const unsettled = this.#unsettled.get(task);
    if (unsettled === undefined) return;
    unsettled.left -= 1;
    if (unsettled.left === 0) unsettled.tell();
  }

  async #notLanded({ planned, over }: DueFault, reason: string): Promise<void> {
    const { control, emit } = this.#stage;
    const message = `fault ${planned.kind} did not land: ${reason}`;
    emit({ kind: 'harness_error', code: 'fault-not-landed', message });
    // The plane must not wait for us while it is asked whether it answers.
    await over();
    const answers = control.isUp() && (await control.server().askHealth(healthLookMs)) === 'ready';
    if (!answers) await control.recover(message);
  }
}

// Generous: the answer decides whether the one recovery of the wave is used.
const healthLookMs = 5_000;
