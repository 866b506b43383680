/**
 * Who does what: workload, adapter and temperament of each task. They are spread and not drawn, because eight draws
 * leave one of the pairs out more often than not, and a pair that no task has proves nothing.
 */
import { invariant } from '../model/invariant.ts';
import { temperaments, type AdapterId, type Temperament, type WorkloadId } from '../model/plan.ts';
import { stream } from '../model/random.ts';
import { shuffled } from './shuffled.ts';

export interface Assignment {
  readonly workload: WorkloadId;
  readonly adapter: AdapterId;
  readonly temperament: Temperament;
}

export interface SpreadOptions {
  readonly seed: number;
  readonly tasks: number;
  readonly workloads: readonly WorkloadId[];
  readonly adapters: readonly AdapterId[];
}

/**
 * One assignment per task. Over any first n tasks, each workload, each adapter, each pair of the two and each triple
 * with the temperament occur equally often, give or take one; so do the temperaments of all tasks and of one adapter.
 */
export function spreadTasks(options: SpreadOptions): readonly Assignment[] {
  const assignments: Assignment[] = [];
  for (let round = 0; assignments.length < options.tasks; round += 1) assignments.push(...spreadRound(options, round));
  return assignments.slice(0, options.tasks);
}

/** Every triple once: all pairs, and all pairs again with the other temperament. */
function spreadRound(options: SpreadOptions, round: number): readonly Assignment[] {
  const order = <T>(items: readonly T[], name: string): readonly T[] =>
    shuffled(items, stream(options.seed, 'spread', String(round), name));
  const workloads = order(options.workloads, 'workloads');
  const adapters = order(options.adapters, 'adapters');
  const [first, other] = order(temperaments, 'temperaments');
  invariant(first !== undefined && other !== undefined, 'there are two temperaments');
  const repeatsAfter = leastCommonMultiple(workloads.length, adapters.length);
  const half = Array.from({ length: workloads.length * adapters.length }, (_, pair): Assignment => {
    // Both lists are walked at once, which keeps each of them even; a step back after each full meeting of the two
    // gives the pairs that would not meet otherwise.
    const adapterIndex = (pair + Math.floor(pair / repeatsAfter) * (adapters.length - 1)) % adapters.length;
    // An adapter takes the temperaments by turns, each adapter another one first.
    const turn = Math.floor(pair / adapters.length) + adapterIndex;
    return {
      workload: at(workloads, pair),
      adapter: at(adapters, adapterIndex),
      temperament: turn % 2 === 0 ? first : other,
    };
  });
  // After an odd number of pairs one temperament is ahead. Where the walk stepped back on the way, the second half would go
  // past that, unless it takes the same way backwards: then it is as even at each task as the first half was there.
  const isUneven = half.length % 2 === 1 && repeatsAfter < half.length;
  const again = (isUneven ? half.toReversed() : half).map((task) => ({
    ...task,
    temperament: task.temperament === first ? other : first,
  }));
  return [...half, ...again];
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  invariant(item !== undefined, 'a wave is spread over at least one workload and one adapter');
  return item;
}

function leastCommonMultiple(left: number, right: number): number {
  let multiple = left;
  while (multiple % right !== 0) multiple += left;
  return multiple;
}
