import { describe, expect, it } from 'vitest';
import { lostOutcome, sampleExploration, sampleOutcome, unprovenOutcome } from '../../fixtures/sample-exploration.ts';
import type { Exploration } from '../model/exploration.ts';
import { compareExplorations, earlierAlike } from './explore-compare.ts';

const now = sampleExploration();

function startedAt(startedAtText: string, more: Partial<Exploration> = {}): Exploration {
  const [session] = now.sessions;
  return sampleExploration({
    id: `x-${startedAtText}`,
    sessions: session === undefined ? [] : [{ ...session, startedAt: startedAtText }],
    ...more,
  });
}

describe('earlierAlike', () => {
  it('is the last one before it with the same target, workload and adapter', () => {
    const first = startedAt('2026-11-29T10:00:00.000Z');
    const second = startedAt('2026-11-30T10:00:00.000Z');
    const later = startedAt('2026-12-01T10:00:00.000Z');
    const other = startedAt('2026-11-30T11:00:00.000Z', { options: { ...now.options, workload: 'C1' } });
    const unrecorded = startedAt('2026-11-30T12:00:00.000Z', { commits: [] });
    expect(earlierAlike(now, [second, now, later, other, unrecorded, first])?.id).toBe(second.id);
    expect(earlierAlike(now, [now, later, other])).toBeNull();
  });
});

describe('compareExplorations', () => {
  it('compares points by what the commits are, not by their number in the life', () => {
    const earlier = sampleExploration({
      commits: [
        { id: 'c01', pattern: 'update issues', occurrence: 2, afterMs: 1 },
        { id: 'c02', pattern: 'insert issues', occurrence: 1, afterMs: 2 },
        { id: 'c03', pattern: 'update issues', occurrence: 1, afterMs: 3 },
      ],
      attempts: [
        lostOutcome({ commit: 'c02', side: 'before' }),
        lostOutcome({ commit: 'c02', side: 'after' }),
        sampleOutcome({ commit: 'c01', side: 'before' }),
      ],
    });
    const comparison = compareExplorations(now, earlier);
    expect(comparison).toMatchObject({ shared: 4, union: 8, share: 0.5, sameFault: true, bothProven: 2 });
    expect(comparison.onlyNow.map(({ pattern }) => pattern)).toEqual(['insert heartbeat_runs set status=queued']);
    expect(comparison.onlyEarlier.map(({ pattern, occurrence }) => `${pattern} ${occurrence}`)).toEqual([
      'update issues 1',
    ]);
    expect(comparison.differing.map(({ point, now: after, was }) => [point, after.effect, was.effect])).toEqual([
      [{ commit: 'c01', side: 'before' }, 'safe', 'lost'],
    ]);
  });

  it('agrees with itself, and leaves out what is not proven in both', () => {
    expect(compareExplorations(now, now)).toMatchObject({ share: 1, bothProven: 2, differing: [] });
    const unproven = { ...now, attempts: [unprovenOutcome({ commit: 'c01', side: 'before' })] };
    expect(compareExplorations(now, unproven)).toMatchObject({ bothProven: 0, differing: [] });
  });

  it('does not compare outcomes of another fault, and two empty lists agree', () => {
    const other = { ...now, options: { ...now.options, fault: 'K2' as const } };
    expect(compareExplorations(now, other)).toMatchObject({ share: 1, sameFault: false, bothProven: 0 });
    const empty = { ...now, commits: [] };
    expect(compareExplorations(empty, empty).share).toBe(1);
  });
});
