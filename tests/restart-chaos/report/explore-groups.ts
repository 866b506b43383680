/** The failing points of an exploration, by what broke: one group for each set of codes that broke together. */
import {
  crashPoints,
  isFailure,
  latestOutcomes,
  pointName,
  type Exploration,
  type PointOutcome,
} from '../model/exploration.ts';
import { pointStates, stateWords, type PointState } from './explore-words.ts';

export interface FailureGroup {
  /** `R1 rested_in_progress`, …: what broke at each of its points. */
  readonly codes: readonly string[];
  /** At least one, in the order of the task's life. */
  readonly outcomes: readonly PointOutcome[];
}

/** The largest group first; equal ones in the order of their first point. */
export function failureGroups(exploration: Exploration): readonly FailureGroup[] {
  const groups = new Map<string, PointOutcome[]>();
  for (const outcome of outcomesInOrder(exploration)) {
    if (!isFailure(outcome.effect)) continue;
    const key = outcome.codes.join('\n');
    groups.set(key, [...(groups.get(key) ?? []), outcome]);
  }
  return [...groups.values()]
    .map((outcomes) => ({ codes: outcomes[0]?.codes ?? [], outcomes }))
    .toSorted((left, right) => right.outcomes.length - left.outcomes.length);
}

/** The latest outcome of each point that was tried, in the order of the task's life. */
export function outcomesInOrder(exploration: Exploration): readonly PointOutcome[] {
  const latest = latestOutcomes(exploration);
  return crashPoints(exploration.commits).flatMap((point) => latest.get(pointName(point)) ?? []);
}

/** How many points are in each state. */
export function countStates(exploration: Exploration): Readonly<Record<PointState, number>> {
  const counts = { safe: 0, lost: 0, broke: 0, down: 0, unproven: 0, untried: 0 };
  const tried = outcomesInOrder(exploration);
  for (const { effect } of tried) counts[effect] += 1;
  return { ...counts, untried: crashPoints(exploration.commits).length - tried.length };
}

/** `5 safe, 4 lost, …`: every state, also those without a point. */
export function countText(exploration: Exploration): string {
  const counts = countStates(exploration);
  return pointStates.map((state) => `${counts[state]} ${stateWords[state].word}`).join(', ');
}
