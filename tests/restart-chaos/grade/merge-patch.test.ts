import { expect, test } from 'vitest';
import { merged, placesChanged } from './merge-patch.testing.ts';

const document = { a: 1, b: { c: 2, d: 3 }, e: [1, 2] };

test('objects are merged, null removes, anything else replaces', () => {
  expect(merged(document, { b: { c: null, x: 4 }, e: [3] })).toEqual({ a: 1, b: { d: 3, x: 4 }, e: [3] });
});

test.each([
  ['nothing', {}, 0],
  ['the same value', { a: 1 }, 0],
  ['a removal of nothing', { z: null }, 0],
  ['one value', { b: { c: 9 } }, 1],
  ['one removal', { b: { d: null } }, 1],
  ['one new object', { f: { g: 1, h: 2 } }, 1],
  ['two values', { a: 2, b: { c: 9 } }, 2],
] as const)('%s changes %3$s places', (_what, patch, count) => {
  expect(placesChanged(document, patch)).toBe(count);
});
