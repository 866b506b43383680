import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectedMs, nextBatchSize } from './explore-batch.ts';

const anyTime = fc.option(
  fc.record({
    leftMs: fc.integer({ min: -1_000, max: 1e7 }),
    stageMs: fc.constant(20_000),
    pointMs: fc.integer({ min: 1, max: 200_000 }),
  }),
);
const effort = { planes: 6, pointsPerWave: 12, time: null };

describe('nextBatchSize', () => {
  it('gives long waves first and short ones at the end', () => {
    const sizes: number[] = [];
    for (let waiting = 104; waiting > 0; waiting -= sizes.at(-1) ?? 0)
      sizes.push(nextBatchSize({ ...effort, waiting }));
    expect(sizes).toEqual([12, 12, 12, 12, 10, 8, 7, 6, 5, 4, 3, 3, 3, 3, 3, 1]);
  });

  it('deals every point exactly once when there is time, and never more than there are', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 32 }),
        fc.integer({ min: 1, max: 99 }),
        (all, planes, pointsPerWave) => {
          let waiting = all;
          for (let waves = 0; waiting > 0; waves += 1) {
            const size = nextBatchSize({ waiting, planes, pointsPerWave, time: null });
            expect(size).toBeGreaterThan(0);
            expect(size).toBeLessThanOrEqual(Math.min(waiting, pointsPerWave));
            waiting -= size;
          }
          expect(waiting).toBe(0);
        },
      ),
    );
  });

  it('begins no wave when the time is over, and gives no more points than should end in time, but one', () => {
    expect(nextBatchSize({ ...effort, waiting: 9, time: { leftMs: 0, stageMs: 20_000, pointMs: 90_000 } })).toBe(0);
    expect(nextBatchSize({ ...effort, waiting: 90, time: { leftMs: 30_000, stageMs: 20_000, pointMs: 90_000 } })).toBe(
      1,
    );
    expect(nextBatchSize({ ...effort, waiting: 90, time: { leftMs: 400_000, stageMs: 20_000, pointMs: 90_000 } })).toBe(
      4,
    );
    fc.assert(
      fc.property(anyTime, fc.integer({ min: 0, max: 300 }), (time, waiting) => {
        const size = nextBatchSize({ ...effort, waiting, time });
        expect(size).toBeLessThanOrEqual(waiting);
        if (time !== null && time.leftMs <= 0) expect(size).toBe(0);
      }),
    );
  });
});

describe('expectedMs', () => {
  it('is what waves took so far, without the time a plane takes', () => {
    const points = [
      { commit: 'c01', side: 'before' as const },
      { commit: 'c01', side: 'after' as const },
    ];
    const waves = [
      { startedAt: '2026-11-30T20:00:00.000Z', endedAt: '2026-11-30T20:02:20.000Z', points },
      { startedAt: '2026-11-30T20:00:00.000Z', endedAt: null, points },
    ];
    expect(expectedMs(waves)).toEqual({ stageMs: 20_000, pointMs: 60_000 });
    expect(expectedMs([]).pointMs).toBe(90_000);
  });
});
