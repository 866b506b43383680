import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timelineOf, at, wallAt } from './facts.testing.ts';
import { parseWallMs, waveClock } from './wall-time.ts';

const events = timelineOf([at(0, tick()), at(5_000, tick()), at(9_000, tick())]);

function tick(): { readonly kind: 'wave_ended'; readonly exitCode: number } {
  return { kind: 'wave_ended', exitCode: 0 };
}

test('any ISO time is read as the platform reads it', () => {
  const moments = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2199, 11, 31) });
  fc.assert(
    fc.property(moments, (ms) => {
      expect(parseWallMs(new Date(ms).toISOString())).toBeCloseTo(ms, 3);
    }),
  );
});

test.each([
  ['2026-11-30T12:00:00Z', Date.UTC(2026, 10, 30, 12)],
  ['2026-11-30 12:00:00.5+00', Date.UTC(2026, 10, 30, 12) + 500],
  ['2026-11-30T14:30:00+02:30', Date.UTC(2026, 10, 30, 12)],
  ['2026-11-30T07:00:00-0500', Date.UTC(2026, 10, 30, 12)],
  ['2026-11-30T12:00:00', null],
  ['yesterday', null],
])('%s is read as %s', (text, ms) => {
  expect(parseWallMs(text)).toBe(ms);
});

test('a row time becomes a time of the wave', () => {
  expect(waveClock(events).toWaveMs(wallAt(7_250))).toBeCloseTo(7_250, 3);
});

test('a fraction of a millisecond between the clocks does not reach the times of rows', () => {
  const shifted = events.map((event) => ({ ...event, atMs: event.atMs + 0.317 }));
  expect(waveClock(shifted).toWaveMs('2026-11-30T12:00:07Z')).toBe(7_000);
});

test('a wall clock that was set during the wave converts nothing, and says why', () => {
  const jumped = events.map((event) => (event.atMs < 9_000 ? event : { ...event, wall: wallAt(3_600_000) }));
  expect(waveClock(jumped).toWaveMs(wallAt(7_250))).toBeNull();
  expect(waveClock(jumped).unusable).toContain('was set by');
});

test('a wall clock that drifts by a fraction of a second still converts', () => {
  const drifted = events.map((event) => (event.atMs < 9_000 ? event : { ...event, wall: wallAt(9_400) }));
  expect(waveClock(drifted).unusable).toBeNull();
});

test('no events, no conversion', () => {
  expect(waveClock([]).toWaveMs(wallAt(0))).toBeNull();
});
