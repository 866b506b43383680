import fc from 'fast-check';
import { expect, test } from 'vitest';
import { faultKinds } from '../faults/catalogue.ts';
import type { FaultChoice } from '../model/fault.ts';
import { dealFaults } from './fault-deck.ts';

test('five default tasks have K1 twice, K2 twice and K4 once, whatever the seed', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      expect([...dealFaults(seed, 5, ['K1', 'K2', 'K4'])].map(String).toSorted()).toEqual([
        'K1',
        'K1',
        'K2',
        'K2',
        'K4',
      ]);
    }),
  );
});

test('only chosen kinds are dealt, one to each task', () => {
  const anyChoice = fc.subarray<FaultChoice>([...faultKinds], { minLength: 1 });
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 40 }), anyChoice, (seed, tasks, choices) => {
      const dealt = dealFaults(seed, tasks, choices);
      expect(dealt).toHaveLength(tasks);
      for (const kind of dealt) expect(choices).toContain(kind);
    }),
  );
});

test('the control arm has no fault for anybody', () => {
  expect(dealFaults(42, 3, ['none'])).toEqual([null, null, null]);
});

test('a single K4 is dealt to all, though it weighs less than others', () => {
  expect(dealFaults(42, 3, ['K4'])).toEqual(['K4', 'K4', 'K4']);
});
