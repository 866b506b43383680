import { describe, expect, it } from 'vitest';
import { numbersFor } from '../model/numbers.ts';
import { createLookPace, type PaceLook, type SeenByLook } from './look-pace.ts';
import { at, createdAt, goodFacts, restAt, timelineOf } from '../grade/facts.testing.ts';
import { blindWindows } from '../grade/observation.ts';

const quiet: PaceLook = { faultInProgress: false, lastWriteMs: 90_000, liveProcesses: false };

describe('createLookPace', () => {
  it('looks at a new task at once', () => {
    expect(createLookPace(numbersFor(1), 5_000).nextAtMs({ ...quiet, lastWriteMs: null })).toBe(5_000);
  });

  it.each<readonly [string, Partial<PaceLook>, Partial<SeenByLook>, number]>([
    ['nothing is written and it cannot rest: after five intervals', {}, { restDueAtMs: null }, 105_000],
    ['its rest window runs: after eight', {}, {}, 108_000],
    ['an agent works all the same: after five', { liveProcesses: true }, {}, 105_000],
    ['a look that could not read everything: after one', {}, { isWhole: false, restDueAtMs: null }, 101_000],
    ['a write since the look began: after one', { lastWriteMs: 100_000 }, {}, 101_000],
    ['no tape: after one', { lastWriteMs: null }, {}, 101_000],
    [
      'a fault in progress, whatever is written: after five',
      { faultInProgress: true, lastWriteMs: 103_000 },
      {},
      105_000,
    ],
    ['the task can rest before that: then', {}, { restDueAtMs: 104_200 }, 104_200],
    ['the rest was due before: one interval after the look', {}, { restDueAtMs: 99_000 }, 101_000],
  ])('%s', (_title, now, look, nextAtMs) => {
    const pace = createLookPace(numbersFor(1), 0);
    pace.lookedAt(100_000);
    pace.saw({ isWhole: true, restDueAtMs: 160_000, ...look });
    expect(pace.nextAtMs({ ...quiet, ...now })).toBe(nextAtMs);
  });

  it('makes nobody blind by one look that ran into its limit', () => {
    const numbers = numbersFor(1);
    const pace = createLookPace(numbers, 0);
    const lookMs = 500;
    pace.lookedAt(100_000);
    pace.saw({ isWhole: true, restDueAtMs: 160_000 });
    const goodMs = 100_000 + lookMs;
    const failsAtMs = pace.nextAtMs(quiet);
    pace.lookedAt(failsAtMs);
    pace.saw({ isWhole: false, restDueAtMs: null });
    const againAtMs = Math.max(failsAtMs + numbers.requestTimeoutMs, pace.nextAtMs(quiet));
    const goodAgainMs = againAtMs + lookMs;
    const moments = [goodMs, goodAgainMs].map((ms) =>
      at(ms, { kind: 'poll', task: 't01', askedAtMs: ms - lookMs, answeredAtMs: ms, outcome: 'ok', detail: null }),
    );
    const timeline = timelineOf([createdAt(99_000), ...moments, restAt(goodAgainMs)]);
    expect(blindWindows(goodFacts({ timeline, faults: [] }))).toEqual([]);
  });

  it('looks at every interval when waits are scaled', () => {
    const pace = createLookPace(numbersFor(0.1), 0);
    pace.lookedAt(100_000);
    expect(pace.nextAtMs(quiet)).toBe(101_000);
  });
});
