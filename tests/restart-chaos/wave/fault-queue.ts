/**
 * Fires the faults that tasks ask for: one at a time, in the order in which they come due. A fault that comes due
 * while another is in progress waits for it. Which are left out, and why: doc/decisions/one-crossing-per-task.md.
 */
import { stepsOf } from '../faults/catalogue.ts';
import type { PlannedFault } from '../model/fault.ts';
import { formatFaultRef } from '../model/ids.ts';
import { sleep } from '../process/wait.ts';
import { injectFault, type FaultOutcome } from './inject.ts';
import type { OpenTask } from './open-task.ts';
import { snapshotTask } from './snapshot.ts';
import { readBack } from './stage-company.ts';
import type { Stage } from './stage.ts';

interface DueFault {
  readonly planned: PlannedFault;
  readonly task: OpenTask;
  readonly dueAtMs: number;
}

/** How often the queue looks whether something is due. */
const lookIntervalMs = 50;

/**
 * Snapshots are taken this long before a fault is due, so that the fault itself is on time and a replay of a replay
 * does not drift. They took 20 to 200 ms for four tasks here.
 */
const snapshotLeadMs = 750;

/** The faults of one wave that have been asked for and not fired yet. */
export class FaultQueue {
  readonly #stage: Stage;
  readonly #waiting: DueFault[] = [];
  #fired = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Schedules the faults of a task whose issue was just created. */
  request(task: OpenTask): void {
    for (const planned of task.plan.faults) {
      this.#waiting.push({ planned, task, dueAtMs: task.createdAtMs + planned.trigger.offsetMs });
    }
    this.#waiting.sort((left, right) => left.dueAtMs - right.dueAtMs);
  }

  /** Fires until the signal comes; a fault under way then is left where it is. */
  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const next = this.#waiting[0];
      const waitMs = next === undefined ? lookIntervalMs : next.dueAtMs - snapshotLeadMs - this.#stage.clock.nowMs();
      if (next === undefined || waitMs > 0) {
        await sleep(Math.min(lookIntervalMs, waitMs), stop).catch(() => undefined);
        continue;
      }
      this.#waiting.shift();
      await this.#fireOrSkip(next, stop);
    }
  }

  async #fireOrSkip(due: DueFault, stop: AbortSignal): Promise<void> {
    const { emit, gate } = this.#stage;
    const about = { fault: due.planned.kind, requestedBy: due.task.plan.id };
    emit({ kind: 'fault_due', ...about });
    const outcome = await gate.striking(async () => {
      // Asked only when it is this fault's turn: the one before it may have crossed the task.
      const reason = reasonToSkip(due.task);
      return reason === null ? this.#fire(due, stop) : { kind: 'skipped' as const, reason };
    });
    if (outcome.kind === 'skipped') return emit({ kind: 'fault_skipped', ...about, reason: outcome.reason });
    if (outcome.kind === 'landed') await readBack(this.#stage);
  }

  async #fire({ planned, task, dueAtMs }: DueFault, stop: AbortSignal): Promise<FaultOutcome> {
    const stage = this.#stage;
    this.#fired += 1;
    const open = stage.tasks.all().filter((each) => each.rest === null);
    const request = {
      ref: formatFaultRef(this.#fired),
      planned,
      steps: stepsOf(planned, stage.numbers),
      requestedBy: task.plan.id,
      openTasks: open.map((each) => each.plan.id),
    };
    await Promise.all(open.map((each) => snapshotTask(stage, each, 'before')));
    const earlyMs = dueAtMs - stage.clock.nowMs();
    if (earlyMs > 0) await sleep(earlyMs, stop).catch(() => undefined);
    const outcome = await stage.control.duringFault(() => injectFault(stage, request, stop));
    if (outcome.kind === 'not_landed') await this.#notLanded(planned, outcome.reason);
    if (outcome.kind !== 'landed') return outcome;
    for (const each of open) if (each !== task) each.crossedByAnother = true;
    await Promise.all(open.map((each) => snapshotTask(stage, each, 'after')));
    return outcome;
  }

  async #notLanded(planned: PlannedFault, reason: string): Promise<void> {
    const { control, emit } = this.#stage;
    const message = `fault ${planned.kind} did not land: ${reason}`;
    emit({ kind: 'harness_error', code: 'fault-not-landed', message });
    const answers = control.isUp() && (await control.server().askHealth(healthLookMs)) === 'ready';
    if (!answers) await control.recover(message);
  }
}

// Generous: the answer decides whether the one recovery of the wave is used.
const healthLookMs = 5_000;

function reasonToSkip(task: OpenTask): string | null {
  if (task.rest !== null) return 'its task was at rest before';
  if (task.crossedByAnother) return 'its task was crossed already by a fault that another task asked for';
  return null;
}
