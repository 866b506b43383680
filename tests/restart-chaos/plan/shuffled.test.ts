import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stream } from '../model/random.ts';
import { shuffled } from './shuffled.ts';

test('keeps every item, leaves its argument alone and gives the same order for the same stream', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.nat(), (items, seed) => {
      const before = [...items];
      const result = shuffled(items, stream(seed, 'test'));
      const ascending = (left: number, right: number): number => left - right;
      expect(result.toSorted(ascending)).toEqual(items.toSorted(ascending));
      expect(items).toEqual(before);
      expect(shuffled(items, stream(seed, 'test'))).toEqual(result);
    }),
  );
});

test('each order of three items comes about equally often', () => {
  const counts = new Map<string, number>();
  for (let seed = 0; seed < 600; seed += 1) {
    const order = shuffled(['a', 'b', 'c'], stream(seed, 'test')).join('');
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  expect(counts.size).toBe(6);
  for (const count of counts.values()) expect(count).toSatisfy((times: number) => times > 60 && times < 140);
});
