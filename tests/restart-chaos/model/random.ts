/**
 * Named streams of randomness. Each decision of a plan draws from its own stream, so that adding a workload
 * or a fault kind does not move the others. Nothing is drawn after the plan is written.
 */
import seedrandom from 'seedrandom';
import { invariant } from './invariant.ts';

export interface RandomStream {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [min, max], both included. */
  integer(min: number, max: number): number;
  /** One item, uniformly. */
  pick<T>(items: readonly T[]): T;
  /** One item, with the given weights (same length, not all zero). */
  weighted<T>(items: readonly T[], weights: readonly number[]): T;
  /** Lower-case hexadecimal digits. */
  hex(length: number): string;
}

/** The stream named by a seed and a path: equal arguments, equal draws. */
export function stream(seed: number, ...path: readonly string[]): RandomStream {
  const generator = seedrandom([String(seed), ...path].join('\u0000'));
  const next = (): number => generator.quick();
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    pick: (items) => itemAt(items, integer(0, items.length - 1)),
    weighted: (items, weights) => itemAt(items, weightedIndex(weights, next())),
    hex: (length) => Array.from({ length }, () => integer(0, 15).toString(16)).join(''),
  };
}

function itemAt<T>(items: readonly T[], index: number): T {
  invariant(index >= 0 && index < items.length, `a draw from ${items.length} items gave index ${index}`);
  return items[index] as T;
}

function weightedIndex(weights: readonly number[], draw: number): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  invariant(total > 0, 'at least one weight must be above zero');
  let left = draw * total;
  for (const [index, weight] of weights.entries()) {
    if (left < weight) return index;
    left -= weight;
  }
  return weights.length - 1;
}
