import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

const adapters = ['scripted', 'process'];

test.each<[string, readonly string[], string | null]>([
  ['scriptd', adapters, 'scripted'],
  ['PROCESS', adapters, 'process'],
  ['pocess', adapters, 'process'],
  ['claude', adapters, null],
  ['', adapters, null],
  ['b1', ['A1', 'B1', 'B5'], 'B1'],
  ['B2', ['A1', 'B1', 'B5'], 'B1'],
  ['X9', ['A1', 'B1', 'B5'], null],
])('for %j among %j the hint is %j', (given, valid, expected) => {
  expect(nearestName(given, valid)).toBe(expected);
});
