/**
 * From options and seed to the plan of a wave, and nothing else: no clock, no other randomness, nothing drawn later.
 * Each decision has a stream of its own, so that one more workload or fault kind does not move the others.
 */
import { isReachedBy } from '../faults/boundaries.ts';
import { faultCatalogue } from '../faults/catalogue.ts';
import type { FaultKind, PlannedFault, Trigger } from '../model/fault.ts';
import { formatTaskId, type TaskId } from '../model/ids.ts';
import { invariant } from '../model/invariant.ts';
import { numbersFor } from '../model/numbers.ts';
import type { PlanOptions } from '../model/options.ts';
import type { Pace, WavePlan } from '../model/plan.ts';
import { stream, type RandomStream } from '../model/random.ts';
import { workloads } from '../workloads/catalogue.ts';
import { plannedMs, taskDeadlineMs, waveDeadlineMs, type UndatedTask, type WaveShape } from './durations.ts';
import { dealFaults } from './fault-deck.ts';
import { spreadTasks, type Assignment } from './spread.ts';

/** The plan that these options stand for; equal options give equal plans, byte for byte. */
export function planWave(options: PlanOptions): WavePlan {
  const assignments = spreadTasks(options);
  const kinds = dealFaults(options.seed, options.tasks, options.faults);
  const tasks = assignments.map((assignment, index) =>
    planTask({ id: formatTaskId(index + 1), assignment, kind: kinds[index] ?? null, options }),
  );
  const { sandbox, ...origin } = options;
  return datedPlan({ ...options, tasks }, { ...origin, ...(sandbox === null ? {} : { sandbox }) }, null);
}

/** Adds the durations to tasks that are otherwise complete. Shared with replays, so that both follow one formula. */
export function datedPlan(
  shape: Omit<WaveShape, 'target'>,
  origin: Pick<WavePlan, 'seed' | 'target' | 'environment' | 'sandbox' | 'budgetCents'>,
  replayOf: WavePlan['replayOf'],
): WavePlan {
  const { tasks, concurrency, timeScale } = shape;
  const wave = { tasks, concurrency, timeScale, target: origin.target };
  return {
    schema: 1,
    seed: origin.seed,
    target: origin.target,
    environment: origin.environment,
    ...(origin.sandbox === undefined ? {} : { sandbox: origin.sandbox }),
    concurrency,
    budgetCents: origin.budgetCents,
    timeScale,
    tasks: tasks.map((task) => ({ ...task, deadlineMs: taskDeadlineMs(task, wave) })),
    plannedMs: plannedMs(wave),
    deadlineMs: waveDeadlineMs(wave),
    replayOf,
  };
}

type StreamOf = (...path: readonly string[]) => RandomStream;

interface TaskSeed {
  readonly id: TaskId;
  readonly assignment: Assignment;
  readonly kind: FaultKind | null;
  readonly options: PlanOptions;
}

function planTask({ id, assignment, kind, options }: TaskSeed): UndatedTask {
  const streamOf: StreamOf = (...path) => stream(options.seed, 'task', id, ...path);
  const pace = drawPace(streamOf('pace'));
  const workMs = workloads[assignment.workload].workMs(pace, numbersFor(options.timeScale));
  const planned = kind !== null && comesToTrigger(options, assignment) ? [kind] : [];
  return {
    id,
    ...assignment,
    pace,
    nonce: streamOf('nonce').hex(12),
    faults: planned.map((each) => planFault(each, triggerOf({ assignment, options, workMs }, streamOf), streamOf)),
  };
}

/** A task that never comes to the moment its fault would wait for is planned without one, and says so. */
function comesToTrigger({ trigger, target }: PlanOptions, { workload }: Assignment): boolean {
  return trigger === null || trigger.on === 'stop' || isReachedBy(target, trigger, workload);
}

/** Work of 8 to 20 s in 4 to 10 steps of 800 to 2,500 ms: long enough to be hit, short enough to wait for. */
function drawPace(random: RandomStream): Pace {
  const steps = random.integer(4, 10);
  const stepMs = random.integer(Math.max(800, Math.ceil(8_000 / steps)), Math.min(2_500, Math.floor(20_000 / steps)));
  return { steps, stepMs };
}

interface Striking {
  readonly assignment: Assignment;
  readonly options: PlanOptions;
  readonly workMs: number;
}

/** The moment that was asked for; else a task that the board stops is struck after its Stop, any other while it works. */
function triggerOf({ assignment, options, workMs }: Striking, streamOf: StreamOf): Trigger {
  const { trigger } = options;
  if (trigger !== null && trigger.on !== 'stop') return trigger;
  const isStopped = workloads[assignment.workload].followUps.includes('stop');
  return isStopped ? drawStopTrigger(streamOf('stop')) : drawTrigger(streamOf('trigger'), workMs);
}

/** The fault must have struck within 2 s of the Stop; the last tenth is for what a strike itself takes. */
const longestStopDelayMs = 1_800;

function drawStopTrigger(random: RandomStream): Trigger {
  return { on: 'stop', delayMs: random.integer(0, longestStopDelayMs) };
}

/** Claimed after about 0.5 s and spawned after about 1 s: the earliest faults strike just there. */
const earliestMs = 1_000;
/** Up to three quarters of its work, so that the fault meets a working agent on a slower machine, too. */
const latestShareOfWork = 0.75;

function drawTrigger(random: RandomStream, workMs: number): Trigger {
  invariant(workMs > 0, 'a task without work cannot be struck while it works');
  return { on: 'time', offsetMs: earliestMs + Math.round(random.next() * latestShareOfWork * workMs) };
}

function planFault(kind: FaultKind, trigger: Trigger, streamOf: StreamOf): PlannedFault {
  return { kind, trigger, parameters: faultCatalogue[kind].draw(streamOf('parameters', kind)) };
}
