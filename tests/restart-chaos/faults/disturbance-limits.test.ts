import { expect, test } from 'vitest';
import type { Disturbance } from '../model/fault.ts';
import { lookLimitMs, revertLimitMs } from './disturbance-limits.ts';

test.each<[string, Disturbance, number]>([
  ['delayed six times at its longest', { kind: 'latency', fixedMs: 500, jitterMs: 200 }, 9_200],
  ['short where nothing is to be heard', { kind: 'black_hole' }, 1_500],
  ['that of a busy machine after a reset', { kind: 'reset' }, 5_000],
  ['that of a busy machine where it is refused', { kind: 'refuse' }, 5_000],
])('the limit of a look is %s', (_, disturbance, expected) => {
  expect(lookLimitMs(disturbance)).toBe(expected);
});

test('the end of a disturbance may take more than one look to be seen', () => {
  expect(revertLimitMs).toBeGreaterThan(2 * lookLimitMs({ kind: 'reset' }));
});
