import { expect, test } from 'vitest';
import { listed, seconds } from './finding-text.ts';

test('a long list names ten and counts the others', () => {
  const names = Array.from({ length: 14 }, (_, index) => `f${index}`);
  expect(listed(names)).toBe('f0, f1, f2, f3, f4, f5, f6, f7, f8, f9 and 4 more');
  expect(listed(names.slice(0, 2))).toBe('f0, f1');
});

test('milliseconds read as seconds with one digit', () => {
  expect(seconds(61_240)).toBe('61.2 s');
});
