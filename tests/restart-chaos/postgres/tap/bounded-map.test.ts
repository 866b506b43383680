import { expect, test } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

test('a map that becomes too heavy forgets what was set longest ago, and never the newest', () => {
  const map = new BoundedMap<string, number>(10);
  map.set('a', 1, 4);
  map.set('b', 2, 4);
  map.set('a', 3, 4);
  map.set('c', 4, 2);
  expect([map.get('a'), map.get('b'), map.get('c'), map.weight]).toEqual([3, 2, 4, 10]);
  map.set('d', 5, 1);
  expect([map.get('a'), map.get('b'), map.get('c'), map.get('d'), map.weight]).toEqual([3, undefined, 4, 5, 7]);
  map.set('heavy', 6, 100);
  expect([map.get('a'), map.get('heavy'), map.weight]).toEqual([undefined, 6, 100]);
  map.delete('heavy');
  map.delete('unknown');
  expect(map.weight).toBe(0);
});
