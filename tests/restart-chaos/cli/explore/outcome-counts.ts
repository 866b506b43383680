import type { PointOutcome } from '../../model/exploration.ts';

/** `5 safe, 4 lost, 1 unproven`; `no outcome` for none. */
export function outcomeCounts(outcomes: readonly Pick<PointOutcome, 'effect'>[]): string {
  const parts = (['safe', 'lost', 'broke', 'down', 'unproven'] as const).flatMap((effect) => {
    const number = outcomes.filter((outcome) => outcome.effect === effect).length;
    return number === 0 ? [] : [`${number} ${effect}`];
  });
  return parts.length === 0 ? 'no outcome' : parts.join(', ');
}
