import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stream } from './random.ts';

describe('stream', () => {
  test('gives equal draws for equal names, and others for other names or seeds', () => {
    const draws = (seed: number, ...path: readonly string[]): string => stream(seed, ...path).hex(16);
    fc.assert(
      fc.property(fc.nat(), fc.string(), (seed, name) => {
        expect(draws(seed, 'task', name)).toBe(draws(seed, 'task', name));
        expect(draws(seed, 'task', name)).not.toBe(draws(seed + 1, 'task', name));
        expect(draws(seed, 'task', name)).not.toBe(draws(seed, 'task', `${name}x`));
      }),
    );
  });

  test('tells apart paths that are the same when written in a row', () => {
    expect(stream(1, 'ab', 'c').hex(16)).not.toBe(stream(1, 'a', 'bc').hex(16));
    expect(stream(1, '2', 'a').hex(16)).not.toBe(stream(12, 'a').hex(16));
  });

  test('gives these numbers for seed 42; a change would silently change every saved seed', () => {
    const random = stream(42, 'task', 't01', 'nonce');
    expect([random.hex(12), random.integer(0, 1_000), random.pick(['a', 'b', 'c'])]).toMatchInlineSnapshot(`
      [
        "1101746bc6a5",
        373,
        "a",
      ]
    `);
  });

  test('keeps integers within their ends and reaches both', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: -50, max: 50 }), fc.nat({ max: 3 }), (seed, min, span) => {
        const random = stream(seed, 'test');
        const seen = new Set(Array.from({ length: 200 }, () => random.integer(min, min + span)));
        expect([...seen].toSorted((left, right) => left - right)).toEqual(
          Array.from({ length: span + 1 }, (_, step) => min + step),
        );
      }),
    );
  });

  test('never picks an item of weight zero, and picks the others in their shares', () => {
    const random = stream(7, 'test');
    const counts = { a: 0, b: 0, c: 0 };
    for (let draw = 0; draw < 3_000; draw += 1) counts[random.weighted(['a', 'b', 'c'] as const, [2, 0, 1])] += 1;
    expect(counts.b).toBe(0);
    expect(counts.a / counts.c).toBeGreaterThan(1.7);
    expect(counts.a / counts.c).toBeLessThan(2.3);
  });

  test('refuses to pick from nothing, and weights that are all zero', () => {
    expect(() => stream(1).pick([])).toThrow(/invariant broken/);
    expect(() => stream(1).weighted(['a'], [0])).toThrow(/invariant broken/);
  });

  test('writes as many lower-case hexadecimal digits as asked for', () => {
    expect(stream(5, 'test').hex(40)).toMatch(/^[0-9a-f]{40}$/);
    expect(stream(5, 'test').hex(0)).toBe('');
  });
});
