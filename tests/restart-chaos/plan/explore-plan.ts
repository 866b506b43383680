/** The waves of an exploration: the control wave that records a task's life, and waves with one crash point a task. */
import { faultCatalogue } from '../faults/catalogue.ts';
import { pointName, type CrashPoint, type ExploreOptions, type LifeCommit } from '../model/exploration.ts';
import type { PlannedFault } from '../model/fault.ts';
import { formatTaskId } from '../model/ids.ts';
import { invariant } from '../model/invariant.ts';
import type { WavePlan } from '../model/plan.ts';
import { stream } from '../model/random.ts';
import { datedPlan } from './plan-wave.ts';

/** What recurs in so many tasks is taken to belong to the life of such a task. */
export const recordedTasks = 3;

/** Three tasks of the same kind, one after another, without a fault. */
export function recordingPlan(options: ExploreOptions): WavePlan {
  const ordinals = Array.from({ length: recordedTasks }, (_, index) => index + 1);
  return oneByOne(
    options,
    ordinals.map((ordinal) => ({ nonce: nonceOf(options.seed, 'recording', String(ordinal)), faults: [] })),
  );
}

export interface PointsWave {
  /** Among the waves of the exploration. */
  readonly name: string;
  /** What its plane and each of its tasks are allowed for waiting for their turns (wave/turns.ts). */
  readonly allowedWaitMs: number;
}

/** One task for each point, one after another, in their order. What they wait for their turns is in the wave's deadline. */
export function pointsPlan(
  options: ExploreOptions,
  commits: readonly LifeCommit[],
  points: readonly CrashPoint[],
  { name, allowedWaitMs }: PointsWave,
): WavePlan {
  const plan = oneByOne(
    options,
    points.map((point) => ({
      nonce: nonceOf(options.seed, name, pointName(point)),
      faults: [faultAt(options, commits, point)],
    })),
  );
  return { ...plan, deadlineMs: plan.deadlineMs + (1 + points.length) * allowedWaitMs };
}

function faultAt(options: ExploreOptions, commits: readonly LifeCommit[], point: CrashPoint): PlannedFault {
  const commit = commits.find(({ id }) => id === point.commit);
  invariant(commit !== undefined, `the point ${pointName(point)} belongs to a recorded commit`);
  const { pattern, occurrence } = commit;
  return {
    kind: options.fault,
    trigger: { on: 'commit', pattern, occurrence, side: point.side },
    // The same for every try of a point, whichever wave it is in.
    parameters: faultCatalogue[options.fault].draw(stream(options.seed, 'explore', pointName(point), 'parameters')),
  };
}

function nonceOf(seed: number, ...path: readonly string[]): string {
  return stream(seed, 'explore', ...path, 'nonce').hex(12);
}

function oneByOne(
  options: ExploreOptions,
  tasks: readonly { readonly nonce: string; readonly faults: readonly PlannedFault[] }[],
): WavePlan {
  const { workload, adapter, temperament, pace, timeScale } = options;
  const shape = {
    tasks: tasks.map((task, index) => ({
      id: formatTaskId(index + 1),
      workload,
      adapter,
      temperament,
      pace,
      ...task,
    })),
    concurrency: 1,
    timeScale,
  };
  return datedPlan(shape, { ...options, environment: 'local' }, null);
}
