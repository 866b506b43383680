import { describe, expect, it } from 'vitest';
import { numbersFor } from '../model/numbers.ts';
import { createLookPace, type PaceLook } from './look-pace.ts';

const quiet: PaceLook = { faultInProgress: false, lastWriteMs: 90_000, liveProcesses: false };

describe('createLookPace', () => {
  it('looks at a new task at once', () => {
    expect(createLookPace(numbersFor(1), 5_000).nextAtMs({ ...quiet, lastWriteMs: null })).toBe(5_000);
  });

  it.each<readonly [string, Partial<PaceLook>, number | null, number]>([
    ['nothing is written and nothing lives: after ten intervals', {}, null, 110_000],
    ['an agent works: after five', { liveProcesses: true }, null, 105_000],
    ['a write since the look began: after one', { lastWriteMs: 100_000 }, null, 101_000],
    ['no tape: after one', { lastWriteMs: null }, null, 101_000],
    [
      'a fault in progress, whatever is written: after five',
      { faultInProgress: true, lastWriteMs: 103_000 },
      null,
      105_000,
    ],
    ['the task can rest before that: then', {}, 104_200, 104_200],
    ['the rest is due later: not for it', {}, 160_000, 110_000],
    ['the rest was due before: one interval after the look', {}, 99_000, 101_000],
  ])('%s', (_title, now, restsAtMs, nextAtMs) => {
    const pace = createLookPace(numbersFor(1), 0);
    pace.lookedAt(100_000);
    pace.restsAt(restsAtMs);
    expect(pace.nextAtMs({ ...quiet, ...now })).toBe(nextAtMs);
  });

  it('looks at every interval when waits are scaled', () => {
    const pace = createLookPace(numbersFor(0.1), 0);
    pace.lookedAt(100_000);
    expect(pace.nextAtMs(quiet)).toBe(101_000);
  });
});
