import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  crashPoints,
  formatExplorationId,
  isExplorationId,
  latestOutcomes,
  pointName,
  pointsToTry,
  pointsToTryAlone,
  triesPerSession,
  type CrashEffect,
  type CrashPoint,
  type PointOutcome,
} from './exploration.ts';

const point = (commit: string, side: CrashPoint['side'] = 'before'): CrashPoint => ({ commit, side });

function attempt(at: CrashPoint, effect: CrashEffect, session = 0): PointOutcome {
  return {
    point: at,
    effect,
    because: effect === 'unproven' ? { reason: 'never_met', detail: 'the moment did not come' } : null,
    wave: 'w-20261130T164512-s42',
    task: 't01',
    session,
    codes: [],
    signatures: [],
    continuation: null,
    restStatus: null,
    readyMs: null,
    restMs: null,
  };
}

const commits = [
  { id: 'c01', pattern: 'insert issues', occurrence: 1, afterMs: 10 },
  { id: 'c02', pattern: 'insert issues', occurrence: 2, afterMs: 20 },
];

describe('an exploration', () => {
  it('has an id of its own form', () => {
    expect(formatExplorationId('20261130T164512', 42)).toBe('x-20261130T164512-s42');
    expect(formatExplorationId('20261130T164512', 42, 1)).toBe('x-20261130T164512-s42-2');
    expect(
      ['x-20261130T164512-s42-2', 'w-20261130T164512-s42', 'x-1', '../x-20261130T164512-s42'].map(isExplorationId),
    ).toEqual([true, false, false, false]);
  });

  it('has two points for each commit, before it and after it', () => {
    expect(crashPoints(commits).map(pointName)).toEqual(['c01 before', 'c01 after', 'c02 before', 'c02 after']);
  });

  it('keeps the last outcome that was proven, whatever came after it', () => {
    const attempts = [
      attempt(point('c01'), 'unproven'),
      attempt(point('c01'), 'lost'),
      attempt(point('c01'), 'unproven'),
      attempt(point('c02'), 'unproven'),
    ];
    const latest = latestOutcomes({ attempts });
    expect([...latest].map(([name, { effect }]) => `${name} ${effect}`)).toEqual([
      'c01 before lost',
      'c02 before unproven',
    ]);
  });

  it.each<CrashEffect>(['lost', 'broke', 'down'])('keeps %s, also when a later try is safe', (effect) => {
    const attempts = [attempt(point('c01'), effect), attempt(point('c01'), 'safe'), attempt(point('c01'), 'unproven')];
    expect(latestOutcomes({ attempts }).get('c01 before')?.effect).toBe(effect);
    expect(pointsToTry({ commits, attempts: attempts.slice(0, 1) }, 0).map(pointName)).not.toContain('c01 before');
  });

  it('tries alone what shared a wave that left something, and nothing else', () => {
    const leftover = { ...attempt(point('c01'), 'unproven'), because: { reason: 'leftover', detail: '' } } as const;
    const attempts = [leftover, attempt(point('c01'), 'unproven'), attempt(point('c02'), 'unproven')];
    expect([...pointsToTryAlone({ attempts })]).toEqual(['c01 before']);
  });

  it('tries an unproven point again, three times in a session, and anew in the next', () => {
    const tried = Array.from({ length: triesPerSession }, () => attempt(point('c01'), 'unproven'));
    const rest = ['c01 after', 'c02 before', 'c02 after'];
    expect(pointsToTry({ commits, attempts: tried.slice(1) }, 0).map(pointName)).toEqual(['c01 before', ...rest]);
    expect(pointsToTry({ commits, attempts: tried }, 0).map(pointName)).toEqual(rest);
    expect(pointsToTry({ commits, attempts: tried }, 1).map(pointName)).toEqual(['c01 before', ...rest]);
  });

  it('never tries a proven point again, and always an untried one', () => {
    const anyAttempt = fc.record({
      at: fc.constantFrom(...crashPoints(commits)),
      effect: fc.constantFrom<CrashEffect>('safe', 'lost', 'broke', 'down', 'unproven'),
      session: fc.nat(2),
    });
    fc.assert(
      fc.property(fc.array(anyAttempt), fc.nat(2), (made, session) => {
        const attempts = made.map((each) => attempt(each.at, each.effect, each.session));
        const due = new Set(pointsToTry({ commits, attempts }, session).map(pointName));
        for (const each of crashPoints(commits)) {
          const own = made.filter(({ at }) => pointName(at) === pointName(each));
          if (own.some(({ effect }) => effect !== 'unproven')) expect(due.has(pointName(each))).toBe(false);
          if (own.length === 0) expect(due.has(pointName(each))).toBe(true);
        }
      }),
    );
  });
});
