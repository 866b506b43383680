import { expect, test } from 'vitest';
import { spreadOf, spreadText } from './statistics.ts';

test.each([
  { values: [7], median: 7, low: 7, high: 7 },
  { values: [3, 1], median: 2, low: 1.5, high: 2.5 },
  { values: [5, 1, 3, 2, 4], median: 3, low: 2, high: 4 },
])('the middle of $values is $median, and half of them lie from $low to $high', ({ values, ...spread }) => {
  expect(spreadOf(values)).toEqual(spread);
});

test('of nothing there is no middle, and it does not look like zero', () => {
  expect(spreadOf([]).median).toBeNaN();
  expect(spreadText(spreadOf([]))).toBe('NaN (NaN–NaN)');
});

test('the text has as many digits as asked for', () => {
  expect(spreadText({ median: 1.0249, low: 1, high: 1.1 }, 2)).toBe('1.02 (1.00–1.10)');
});
