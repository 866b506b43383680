import { describe, expect, test } from 'vitest';
import type { WavePlan } from '../model/plan.ts';
import { checkPlanOptions } from './check-plan-options.ts';
import { planHash, planText } from './plan-text.ts';
import { planWave } from './plan-wave.ts';
import { readPlan } from './read-plan.ts';

const plan = planWave(checkPlanOptions({ seed: 42, tasks: 2, faults: 'K4' }));

describe('planText', () => {
  test('does not depend on the order in which an object got its keys', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, each]) => [key, reversed(each)]),
      );
    };
    const shuffledPlan = reversed(plan) as WavePlan;
    expect(JSON.stringify(shuffledPlan)).not.toBe(JSON.stringify(plan));
    expect(planText(shuffledPlan)).toBe(planText(plan));
  });

  test.each(['bt:4@2', 'commit:insert issues@3:after'])('of a fault that waits for %s is read as it was', (trigger) => {
    const waiting = planWave(checkPlanOptions({ seed: 42, tasks: 2, faults: 'K1', trigger }));
    expect(JSON.parse(planText(waiting))).toEqual(waiting);
  });

  test('of a fault that waits for a Stop is read as it was', () => {
    const waiting = planWave(checkPlanOptions({ seed: 42, tasks: 2, workloads: 'S1', faults: 'K1', trigger: 'stop' }));
    expect(readPlan(planText(waiting))).toEqual(waiting);
  });

  test('is indented JSON with one line end behind it', () => {
    expect(planText(plan)).toMatch(/^\{\n {2}"schema": 1,\n {2}"seed": 42,\n[^]*[^\n]\n$/);
    expect(JSON.parse(planText(plan))).toEqual(plan);
  });
});

describe('planHash', () => {
  test.each([
    ['', '811c9dc5'],
    ['a', 'e40c292c'],
    ['foobar', 'bf9cf968'],
  ])('of %j is %s, as FNV-1a is published', (text, expected) => {
    expect(planHash(text)).toBe(expected);
  });

  test('differs for plans of different seeds', () => {
    const hashes = [1, 2, 3, 4].map((seed) => planHash(planText(planWave(checkPlanOptions({ seed })))));
    expect(new Set(hashes).size).toBe(4);
  });
});
