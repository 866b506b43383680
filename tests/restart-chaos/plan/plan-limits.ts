/**
 * How large a plan may be that is to be run. The command line keeps within these limits, and a plan edited by hand must,
 * too. A saved plan of a wave that ran is read without them: its evidence stays readable, whatever they become.
 */
import { formatTaskId } from '../model/ids.ts';
import type { TaskPlan, WavePlan } from '../model/plan.ts';

export const mostTasks = 99;
export const mostConcurrency = 16;
export const mostBudgetCents = 1_000_000_000;

// Node's timers hold 31 bits: one of 24.9 days or more fires at once. Twenty leave room for what is added to a time.
const longestDays = 20;
const longestMs = longestDays * 86_400_000;
/** As many as a replay can carry from a wave of the most tasks with one fault each. */
const mostFaults = 100;
const longestNonce = 64;
/** More than twice the longest that an exploration of the published plane wrote. */
const longestPattern = 1_000;

const taskIds: readonly string[] = Array.from({ length: mostTasks }, (_, index) => formatTaskId(index + 1));

/** Everything of a plan that is beyond a limit, as `<place>: <what is valid>; got <what is there>`; empty when nothing is. */
export function limitProblems(plan: WavePlan): readonly string[] {
  return [
    ...above('concurrency', plan.concurrency, { most: mostConcurrency }),
    ...above('budgetCents', plan.budgetCents, { most: mostBudgetCents }),
    ...above('tasks', plan.tasks.length, { most: mostTasks, unit: ' tasks' }),
    ...plan.tasks.flatMap((task, index) => taskProblems(task, `tasks[${index}]`)),
    ...tooLong('plannedMs', plan.plannedMs),
    ...tooLong('deadlineMs', plan.deadlineMs),
  ];
}

function taskProblems(task: TaskPlan, place: string): readonly string[] {
  const { id, pace, nonce, faults, deadlineMs } = task;
  const known = taskIds.includes(id);
  return [
    ...(known ? [] : [`${place}.id: a task is called ${taskIds[0]} to ${taskIds.at(-1)}; got ${JSON.stringify(id)}`]),
    ...tooLong(`${place}.pace (steps times stepMs)`, pace.steps * pace.stepMs),
    ...above(`${place}.nonce`, nonce.length, { most: longestNonce, unit: ' characters' }),
    ...above(`${place}.faults`, faults.length, { most: mostFaults, unit: ' faults' }),
    ...faults.flatMap(({ trigger }, index) => {
      const at = `${place}.faults[${index}].trigger`;
      if (trigger.on === 'time') return tooLong(`${at}.offsetMs`, trigger.offsetMs);
      if (trigger.on === 'stop') return tooLong(`${at}.delayMs`, trigger.delayMs);
      if (trigger.on === 'boundary') return [];
      return above(`${at}.pattern`, trigger.pattern.length, { most: longestPattern, unit: ' characters' });
    }),
    ...tooLong(`${place}.deadlineMs`, deadlineMs),
  ];
}

function above(place: string, value: number, limit: { readonly most: number; readonly unit?: string }): string[] {
  const { most, unit = '' } = limit;
  return value <= most ? [] : [`${place}: at most ${most}${unit}; got ${value}`];
}

function tooLong(place: string, ms: number): string[] {
  if (ms <= longestMs) return [];
  return [
    `${place}: a time is at most ${longestDays} days (${longestMs} ms), because timers end at 2^31 ms; got ${ms}`,
  ];
}
