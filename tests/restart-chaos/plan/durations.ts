/**
 * How long tasks and waves should take and may take. The limits are wide on purpose: a task that was cut off by a
 * tight limit would look like a broken promise of the plane.
 */
import { longestMs, usualMs } from '../faults/fault-duration.ts';
import { plannedSteps } from '../faults/planned-steps.ts';
import type { PlannedFault } from '../model/fault.ts';
import { numbersFor, type Numbers } from '../model/numbers.ts';
import type { TaskPlan } from '../model/plan.ts';
import { workloads } from '../workloads/catalogue.ts';

/** A task before its deadline is known. */
export type UndatedTask = Omit<TaskPlan, 'deadlineMs'>;

export interface WaveShape {
  readonly tasks: readonly UndatedTask[];
  /** What it is a build of says which steps a fault at a named moment has. */
  readonly target: string;
  readonly concurrency: number;
  readonly timeScale: number;
}

/** From the creation to a working agent: claim at about 0.5 s, process at about 1 s, measured. */
const agentStartMs = 1_200;
/** The same when the plane is busy with several tasks and with its recovery. */
const agentStartLimitMs = 15_000;
/** The published plane retries a lost run twice; each waits 30 s and then for a scheduler tick and a sweep. */
const retries = 2;
const retryWaitMs = 45_000;
/** Writing the result and ending, and looks of the observer in between. */
const finishMs = 2_000;
/** A cached target, a cloned database and one boot. */
const usualStageMs = 15_000;
/** A cold install took 71 s, a first boot with its migrations 18 s under load; twice that and more. */
const stageLimitMs = 300_000;
/** For requests that time out, and for the machine being slower than ours. */
const marginMs = 60_000;

/**
 * When a task must rest, in milliseconds after its issue was created: its work, done again after each retry of the
 * plane, the retries' waits, every fault that a full group of concurrent tasks can ask for at its longest, the stall
 * limit (R5 names a stall better than R1 does), the rest window, and a margin.
 */
export function taskDeadlineMs(task: UndatedTask, wave: WaveShape): number {
  const numbers = numbersFor(wave.timeScale);
  const groupFaultsMs = sum(
    largest(
      wave.tasks.map((each) => faultsLongestMs(each, wave.target, numbers)),
      wave.concurrency,
    ),
  );
  return ownLongestMs(task, numbers) + groupFaultsMs + numbers.stallLimitMs + marginMs;
}

/**
 * When the wave ends whatever is open, in milliseconds after it began: staging, then the tasks at their longest, one
 * after another in each of the concurrent places, then every fault of the plan at its longest, once, because all
 * tasks share one plane. The stall limit is in it once and not per task: a task that goes well never needs it.
 */
export function waveDeadlineMs(wave: WaveShape): number {
  const numbers = numbersFor(wave.timeScale);
  const faultsMs = sum(wave.tasks.map((task) => faultsLongestMs(task, wave.target, numbers)));
  const tasksMs = makespanMs(
    wave.tasks.map((task) => ownLongestMs(task, numbers) + numbers.recheckAfterMs),
    wave.concurrency,
  );
  return stageLimitMs + tasksMs + faultsMs + numbers.stallLimitMs + marginMs;
}

/**
 * What the wave takes when all goes well, group after group of concurrent tasks. A group is held up by the faults of
 * the task whose fault comes due first, since it is then crossed and the others are left out; after it the plane
 * waits for one retry and the work is done again.
 */
export function plannedMs(wave: WaveShape): number {
  const numbers = numbersFor(wave.timeScale);
  let totalMs = usualStageMs;
  for (let first = 0; first < wave.tasks.length; first += wave.concurrency) {
    totalMs += groupMs(wave.tasks.slice(first, first + wave.concurrency), wave.target, numbers);
  }
  return Math.round(totalMs);
}

function groupMs(group: readonly UndatedTask[], target: string, numbers: Numbers): number {
  const workMs = Math.max(...group.map((task) => workOf(task, numbers)));
  const quietMs = agentStartMs + workMs + finishMs + numbers.settledRestWindowMs;
  const striking = group
    .filter((task) => task.faults.length > 0)
    .toSorted((left, right) => firstDueMs(left, numbers) - firstDueMs(right, numbers))[0];
  if (striking === undefined) return quietMs;
  const downMs = sum(striking.faults.map((fault) => usualMs(plannedSteps(fault, numbers, target))));
  return quietMs + downMs + retryWaitMs + workMs;
}

function firstDueMs(task: UndatedTask, numbers: Numbers): number {
  return Math.min(...task.faults.map((fault) => dueMs(fault, task, numbers)));
}

/**
 * When a fault comes due, from the creation. A moment has no time of its own: it is taken to come while the
 * task is first worked on, so that one which never comes keeps nobody waiting.
 */
function dueMs({ trigger }: PlannedFault, task: UndatedTask, numbers: Numbers): number {
  return trigger.on === 'time' ? trigger.offsetMs : workOf(task, numbers);
}

function ownLongestMs(task: UndatedTask, numbers: Numbers): number {
  const lastFaultDueMs = Math.max(0, ...task.faults.map((fault) => dueMs(fault, task, numbers)));
  const attemptsMs = (1 + retries) * (agentStartLimitMs + workOf(task, numbers)) + retries * retryWaitMs;
  // A replay can carry faults that struck long after the work would have been done.
  return Math.max(attemptsMs, lastFaultDueMs) + numbers.restWindowMs;
}

function faultsLongestMs(task: UndatedTask, target: string, numbers: Numbers): number {
  return sum(task.faults.map((fault) => longestMs(plannedSteps(fault, numbers, target))));
}

function workOf(task: UndatedTask, numbers: Numbers): number {
  return workloads[task.workload].workMs(task.pace, numbers);
}

/** End of the last of some jobs, each taken in order by the place that is free first. */
function makespanMs(lengthsMs: readonly number[], places: number): number {
  const busyUntilMs = Array.from({ length: places }, () => 0);
  for (const lengthMs of lengthsMs) {
    const place = busyUntilMs.indexOf(Math.min(...busyUntilMs));
    busyUntilMs[place] = (busyUntilMs[place] ?? 0) + lengthMs;
  }
  return Math.max(...busyUntilMs);
}

function largest(numbers: readonly number[], count: number): readonly number[] {
  return numbers.toSorted((left, right) => right - left).slice(0, count);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
