import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterUncovered, mergeWindows, overlapMs, uncoveredMs } from './time-windows.ts';

const windows = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 100 }))
    .map(([fromMs, ms]) => ({ fromMs, toMs: fromMs + ms })),
  { maxLength: 8 },
);

test('windows that touch or overlap become one', () => {
  const merged = mergeWindows([
    { fromMs: 5, toMs: 9 },
    { fromMs: 0, toMs: 5 },
    { fromMs: 12, toMs: 13 },
    { fromMs: 3, toMs: 3 },
  ]);
  expect(merged).toEqual([
    { fromMs: 0, toMs: 9 },
    { fromMs: 12, toMs: 13 },
  ]);
});

test('merging keeps every moment and invents none', () => {
  fc.assert(
    fc.property(windows, fc.integer({ min: 0, max: 700 }), (given, ms) => {
      const inside = (list: readonly { fromMs: number; toMs: number }[]): boolean =>
        list.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
      expect(inside(mergeWindows(given))).toBe(inside(given));
    }),
  );
});

test('windows that only touch do not overlap', () => {
  expect(overlapMs({ fromMs: 0, toMs: 5 }, { fromMs: 5, toMs: 9 })).toBe(0);
  expect(overlapMs({ fromMs: 0, toMs: 7 }, { fromMs: 5, toMs: 9 })).toBe(2);
});

test('the moment after so much uncovered time has exactly that much of it before', () => {
  fc.assert(
    fc.property(
      windows,
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 1, max: 300 }),
      (given, fromMs, duration) => {
        const covers = mergeWindows(given);
        expect(uncoveredMs({ fromMs, toMs: afterUncovered(fromMs, duration, covers) }, covers)).toBe(duration);
      },
    ),
  );
});
