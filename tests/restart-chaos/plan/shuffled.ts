/** A list in an order that a stream decides. */
import type { RandomStream } from '../model/random.ts';

/** A copy in random order, each order equally likely (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], random: RandomStream): readonly T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const chosen = random.integer(0, last);
    const moved = result[last] as T;
    result[last] = result[chosen] as T;
    result[chosen] = moved;
  }
  return result;
}
