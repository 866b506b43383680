/**
 * One task of an earlier wave again, alone, with every fault that crossed it then. A fault that it had asked for at a
 * named moment waits for that moment again; any other strikes at the recorded time.
 */
import { UsageError } from '../model/errors.ts';
import type { FaultKind, FaultParameters, Trigger } from '../model/fault.ts';
import type { TaskId, WaveId } from '../model/ids.ts';
import type { WavePlan } from '../model/plan.ts';
import { datedPlan } from './plan-wave.ts';

/** A fault that crossed the task, whichever task had asked for it. */
export interface RecordedCrossing {
  readonly kind: FaultKind;
  /** As they were planned, not shortened by a time scale. */
  readonly parameters: FaultParameters;
  /** As it was planned, by `requestedBy`. */
  readonly trigger: Trigger;
  readonly requestedBy: TaskId;
  /** From the creation of this task's issue to the strike, as recorded. */
  readonly offsetMs: number;
}

export interface ReplayOptions {
  readonly saved: WavePlan;
  readonly wave: WaveId;
  readonly task: TaskId;
  readonly crossings: readonly RecordedCrossing[];
}

/**
 * The plan of the replay: same id, nonce, pace, adapter, workload, temperament, target and time scale; the crossings
 * in the order in which they struck, as faults of this task. Without a crossing it has no faults: what no fault
 * crossed is repeated without one. Throws UsageError when the wave had no such task.
 */
export function replayPlan({ saved, wave, task: id, crossings }: ReplayOptions): WavePlan {
  const found = saved.tasks.find((task) => task.id === id);
  if (found === undefined) {
    const there = saved.tasks.map((task) => task.id).join(', ');
    throw new UsageError([`--replay ${wave}/${id}: the wave has no task ${id}; it has ${there}`]);
  }
  const { deadlineMs: _, ...task } = found;
  const faults = crossings
    .toSorted((left, right) => left.offsetMs - right.offsetMs)
    .map((crossing) => ({ kind: crossing.kind, trigger: triggerAgain(crossing, id), parameters: crossing.parameters }));
  const shape = { tasks: [{ ...task, faults }], concurrency: 1, timeScale: saved.timeScale };
  return datedPlan(shape, saved, { wave, task: id });
}

/** What another task's fault waited for does not exist in a wave without that task. */
function triggerAgain({ trigger, requestedBy, offsetMs }: RecordedCrossing, task: TaskId): Trigger {
  if (trigger.on !== 'time' && requestedBy === task) return trigger;
  return { on: 'time', offsetMs: Math.max(0, Math.round(offsetMs)) };
}
