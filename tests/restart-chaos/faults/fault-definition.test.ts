import { expect, test } from 'vitest';
import { numbersFor } from '../model/numbers.ts';
import { stream } from '../model/random.ts';
import { drawFrom, scaledHoldMs, secondsText } from './fault-definition.ts';

test('every range is drawn, both ends included', () => {
  const ranges = [
    { name: 'one', drawn: { min: 3, max: 3 }, allowed: { min: 0, max: 9 } },
    { name: 'two', drawn: { min: 0, max: 1 }, allowed: { min: 0, max: 9 } },
  ];
  const draws = Array.from({ length: 50 }, (_, seed) => drawFrom(ranges, stream(seed, 'test')));
  expect(new Set(draws.map((parameters) => JSON.stringify(parameters)))).toEqual(
    new Set(['{"one":3,"two":0}', '{"one":3,"two":1}']),
  );
});

test.each([
  [0, 1, 0],
  [0, 0.05, 0],
  [200_000, 1, 200_000],
  [200_001, 0.05, 10_000],
])('a hold of %i ms at scale %d lasts %i ms', (holdMs, timeScale, expected) => {
  expect(scaledHoldMs(holdMs, numbersFor(timeScale))).toBe(expected);
});

test.each([
  [0, '0.0 s'],
  [1_234, '1.2 s'],
  [10_000, '10 s'],
  [186_600, '187 s'],
])('%i ms reads %s', (ms, expected) => {
  expect(secondsText(ms)).toBe(expected);
});
