import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countMarker, latestDocument } from './brief-document.ts';
import { exampleDocument } from './example-facts.testing.ts';

test('the latest document is the highest revision of its key, in whatever order they come', () => {
  const revisions = [1, 2, 3, 10].map((revision) => exampleDocument('brief', `revision ${revision}`, revision));
  fc.assert(
    fc.property(fc.shuffledSubarray(revisions, { minLength: 1 }), (some) => {
      const highest = Math.max(...some.map(({ revision }) => revision));
      expect(latestDocument([exampleDocument('plan', 'x', 99), ...some], 'brief')?.revision).toBe(highest);
    }),
  );
  expect(latestDocument([exampleDocument('plan', 'x')], 'brief')).toBeNull();
});

test.each([
  ['', 0],
  ['CHAOS-0a1b', 1],
  ['CHAOS-0a1b\nCHAOS-0a1b', 2],
  ['`CHAOS-0a1b`, **CHAOS-0a1b**.', 2],
  ['CHAOS-0a1b2', 0],
  ['XCHAOS-0a1b', 0],
  ['CHAOS-0a1b-2', 0],
  ['chaos-0a1b', 0],
])('in %j the marker stands %i times', (text, expected) => {
  expect(countMarker(text, 'CHAOS-0a1b')).toBe(expected);
});
