/**
 * Fires the faults that tasks ask for: one at a time, in the order in which they come due. A fault that comes due
 * while another is in progress waits for it. Which are left out, and why: doc/decisions/one-crossing-per-task.md.
 */
import { stepsOf } from '../faults/catalogue.ts';
import { HarnessError } from '../model/errors.ts';
import type { PlannedFault } from '../model/fault.ts';
import { formatFaultRef } from '../model/ids.ts';
import { sleep } from '../process/wait.ts';
import { injectFault } from './inject.ts';
import type { OpenTask } from './open-task.ts';
import { snapshotTask } from './snapshot.ts';
import { readBack } from './stage-company.ts';
import type { Stage } from './stage.ts';

interface DueFault {
  readonly planned: PlannedFault;
  readonly task: OpenTask;
  readonly dueAtMs: number;
}

/** No fault is later than this because of us. */
const lookIntervalMs = 50;

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

  /** Fires until the signal comes, and then ends what it is at. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const next = this.#waiting[0];
      const waitMs = next === undefined ? lookIntervalMs : next.dueAtMs - this.#stage.clock.nowMs();
      if (next === undefined || waitMs > 0) {
        await sleep(Math.min(lookIntervalMs, waitMs), signal).catch(() => undefined);
        continue;
      }
      this.#waiting.shift();
      await this.#fireOrSkip(next);
    }
  }

  async #fireOrSkip(due: DueFault): Promise<void> {
    const { emit, gate } = this.#stage;
    const about = { fault: due.planned.kind, requestedBy: due.task.plan.id };
    emit({ kind: 'fault_due', ...about });
    const skipped = await gate.striking(async () => {
      // Asked only when it is this fault's turn: the one before it may have crossed the task.
      const reason = reasonToSkip(due.task);
      if (reason === null) await this.#fire(due);
      return reason;
    });
    if (skipped !== null) return emit({ kind: 'fault_skipped', ...about, reason: skipped });
    await readBack(this.#stage);
  }

  async #fire({ planned, task }: DueFault): Promise<void> {
    const stage = this.#stage;
    this.#fired += 1;
    const open = stage.tasks.all().filter((each) => each.rest === null);
    await Promise.all(open.map((each) => snapshotTask(stage, each, 'before')));
    const outcome = await stage.control.duringFault(() =>
      injectFault(stage, {
        ref: formatFaultRef(this.#fired),
        planned,
        steps: stepsOf(planned, stage.numbers),
        requestedBy: task.plan.id,
        openTasks: open.map((each) => each.plan.id),
      }),
    );
    if (!outcome.landed) return this.#notLanded(planned, outcome.reason);
    for (const each of open) if (each !== task) each.crossedByAnother = true;
    await Promise.all(open.map((each) => snapshotTask(stage, each, 'after')));
  }

  async #notLanded(planned: PlannedFault, reason: string | null): Promise<void> {
    const message = `fault ${planned.kind} did not land: ${reason ?? 'no reason given'}`;
    this.#stage.emit({ kind: 'harness_error', code: 'fault-not-landed', message });
    if (!(await this.#planeAnswers())) await this.#stage.control.recover(message);
  }

  async #planeAnswers(): Promise<boolean> {
    const { control } = this.#stage;
    const server = control.server();
    if (server.child.exit() !== null || control.cluster.exit() !== null) return false;
    return server.awaitReady(5_000).then(
      () => true,
      (error: unknown) => {
        if (error instanceof HarnessError) return false;
        throw error;
      },
    );
  }
}

function reasonToSkip(task: OpenTask): string | null {
  if (task.rest !== null) return 'its task was at rest before';
  if (task.crossedByAnother) return 'its task was crossed already by a fault that another task asked for';
  return null;
}
