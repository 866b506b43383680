import { expect, test } from 'vitest';
import { groupBy } from './group-by.ts';

test('keys and items keep their order', () => {
  expect([...groupBy(['b1', 'a1', 'b2'], (text) => text[0])]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1']],
  ]);
});
