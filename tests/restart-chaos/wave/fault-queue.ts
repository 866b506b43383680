/**
 * Fires the faults that tasks ask for: one at a time, in the order in which they come due. A fault that comes due
 * while another is in progress waits for it. A fault is left out, with its reason on record, when its task is at
 * rest already or when a fault that another task asked for has crossed it: one crossing a task is enough to judge
 * it, and a task crossed by everything tells nobody what broke it. A replay asks for all of its faults itself.
 */
import { stepsOf } from '../faults/catalogue.ts';
import { errorText, HarnessError } from '../model/errors.ts';
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

export interface FaultQueue {
  /** Schedules the faults of a task whose issue was just created. */
  request(task: OpenTask): void;
  /** Fires until the wave stops; resolves then. */
  run(openTasks: () => readonly OpenTask[]): Promise<void>;
  /** Whether a fault is waiting for a task that is still open. */
  pending(): boolean;
}

/** An empty queue over a staged plane. */
export function createFaultQueue(stage: Stage, signal: AbortSignal): FaultQueue {
  const waiting: DueFault[] = [];
  let fired = 0;

  function request(task: OpenTask): void {
    for (const planned of task.plan.faults) {
      waiting.push({ planned, task, dueAtMs: task.createdAtMs + planned.trigger.offsetMs });
    }
    waiting.sort((left, right) => left.dueAtMs - right.dueAtMs);
  }

  async function run(openTasks: () => readonly OpenTask[]): Promise<void> {
    while (!signal.aborted) {
      const next = waiting[0];
      if (next === undefined || next.dueAtMs > stage.clock.nowMs()) {
        // Short enough that a fault is never later than this because of us.
        await pause(Math.min(50, next === undefined ? 50 : Math.max(1, next.dueAtMs - stage.clock.nowMs())), signal);
        continue;
      }
      waiting.shift();
      await fireOrSkip(next, openTasks);
    }
  }

  async function fireOrSkip(due: DueFault, openTasks: () => readonly OpenTask[]): Promise<void> {
    const { planned, task } = due;
    const fault = planned.kind;
    const requestedBy = task.plan.id;
    stage.emit({ kind: 'fault_due', fault, requestedBy });
    const reason = reasonToSkip(task);
    if (reason !== null) return stage.emit({ kind: 'fault_skipped', fault, requestedBy, reason });
    await stage.gate.striking(() => fire(due, openTasks()));
  }

  async function fire(due: DueFault, open: readonly OpenTask[]): Promise<void> {
    fired += 1;
    const { planned, task } = due;
    await Promise.all(open.map((each) => snapshotTask(stage, each, 'before')));
    const outcome = await stage.control.duringFault(() =>
      injectFault(stage, {
        ref: formatFaultRef(fired),
        planned,
        steps: stepsOf(planned, stage.numbers),
        requestedBy: task.plan.id,
        openTasks: open.map((each) => each.plan.id),
      }),
    );
    if (!outcome.landed) return notLanded(planned, outcome.reason);
    for (const each of open) if (each !== task) each.crossedByAnother = true;
    await Promise.all(open.map((each) => snapshotTask(stage, each, 'after')));
    await readBack(stage);
  }

  async function notLanded(planned: PlannedFault, reason: string | null): Promise<void> {
    const error = new HarnessError('fault-not-landed', `fault ${planned.kind} did not land: ${reason ?? 'no reason given'}`);
    stage.emit({ kind: 'harness_error', code: error.code, message: error.message });
    if (!(await planeAnswers())) await stage.control.recover(error.message);
  }

  async function planeAnswers(): Promise<boolean> {
    const server = stage.control.server();
    if (server.child.exit() !== null || stage.control.cluster.exit() !== null) return false;
    try {
      await server.awaitReady(5_000);
      return true;
    } catch (error) {
      stage.emit({ kind: 'stage_step', step: 'look after fault', durationMs: 0, detail: errorText(error) });
      return false;
    }
  }

  return { request, run, pending: () => waiting.some((due) => reasonToSkip(due.task) === null) };
}

function reasonToSkip(task: OpenTask): string | null {
  if (task.rest !== null) return 'its task was at rest before';
  if (task.crossedByAnother) return 'its task was crossed already by a fault that another task asked for';
  return null;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, signal).catch(() => undefined);
}
