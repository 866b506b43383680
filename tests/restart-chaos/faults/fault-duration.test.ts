import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FaultKind } from '../model/fault.ts';
import { numbersFor } from '../model/numbers.ts';
import { stream } from '../model/random.ts';
import { faultCatalogue, faultKinds, stepsOf } from './catalogue.ts';
import { longestMs, usualMs } from './fault-duration.ts';

const real = numbersFor(1);

test.each<[FaultKind, Record<string, number>, number, number]>([
  ['K1', {}, 190_000, 6_200],
  ['K2', { holdMs: 2_000 }, 242_000, 8_200],
  ['K4', { holdMs: 200_000 }, 390_000, 206_200],
  ['K5', {}, 210_000, 7_100],
  ['K6', { again: 2 }, 570_000, 18_600],
  ['DB1', { fixedMs: 500, jitterMs: 200, forMs: 30_000 }, 243_400, 34_900],
  ['DB2', {}, 207_000, 2_100],
  ['DB3', { forMs: 20_000 }, 218_000, 23_100],
  ['DB4', { forMs: 10_000 }, 215_000, 10_100],
  ['PF1', { skip: 0, requests: 1, forMs: 10_000 }, 370_000, 15_100],
  ['PF10', { skip: 0, requests: 1, forMs: 10_000 }, 370_000, 15_100],
])('%s with %j takes at most %i ms and usually %i ms', (kind, parameters, longest, usual) => {
  const steps = stepsOf({ kind, parameters }, real);
  expect([longestMs(steps), usualMs(steps)]).toEqual([longest, usual]);
});

test('no fault usually takes longer than it may', () => {
  fc.assert(
    fc.property(fc.constantFrom(...faultKinds), fc.nat(), (kind, seed) => {
      const steps = stepsOf({ kind, parameters: faultCatalogue[kind].draw(stream(seed, 'test')) }, real);
      expect(usualMs(steps)).toBeLessThan(longestMs(steps));
    }),
  );
});

test('a crash at a commit takes no longer than the crash, but for what proves where it struck', () => {
  const crash = stepsOf({ kind: 'K1', parameters: {} }, real);
  const after = [{ step: 'let_commit' } as const, ...crash, { step: 'settle_commit', side: 'after' } as const];
  expect(usualMs(after) - usualMs(crash)).toBe(100);
  expect(longestMs(after) - longestMs(crash)).toBe(20_000);
});
