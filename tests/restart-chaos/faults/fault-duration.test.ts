import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FaultKind } from '../model/fault.ts';
import { numbersFor } from '../model/numbers.ts';
import { stream } from '../model/random.ts';
import { faultCatalogue, stepsOf } from './catalogue.ts';
import { longestMs, usualMs } from './fault-duration.ts';

const real = numbersFor(1);

test.each<[FaultKind, Record<string, number>, number, number]>([
  ['K1', {}, 190_000, 6_200],
  ['K2', { holdMs: 2_000 }, 242_000, 8_200],
  ['K4', { holdMs: 200_000 }, 390_000, 206_200],
  ['K5', {}, 210_000, 7_100],
  ['K6', { again: 2 }, 570_000, 18_600],
])('%s with %j takes at most %i ms and usually %i ms', (kind, parameters, longest, usual) => {
  const steps = stepsOf({ kind, parameters }, real);
  expect([longestMs(steps), usualMs(steps)]).toEqual([longest, usual]);
});

test('no fault usually takes longer than it may', () => {
  fc.assert(
    fc.property(fc.constantFrom<FaultKind>('K1', 'K2', 'K3', 'K4', 'K5', 'K6'), fc.nat(), (kind, seed) => {
      const steps = stepsOf({ kind, parameters: faultCatalogue[kind].draw(stream(seed, 'test')) }, real);
      expect(usualMs(steps)).toBeLessThan(longestMs(steps));
    }),
  );
});
