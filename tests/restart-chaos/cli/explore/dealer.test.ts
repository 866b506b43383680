import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleExploration, sampleOutcome, unprovenOutcome } from '../../../fixtures/sample-exploration.ts';
import { crashPoints, pointName, triesPerSession, type CrashPoint, type Exploration } from '../../model/exploration.ts';
import { createDealer } from './dealer.ts';

const startMs = Date.parse('2026-11-30T20:59:00.000Z');

function exploration(more: Partial<Exploration> = {}, budgetMs: number | null = null): Exploration {
  const commits = Array.from({ length: 9 }, (_, index) => ({
    id: `c${index + 1}`,
    pattern: index % 2 === 0 ? 'insert issues' : 'update issues',
    occurrence: index + 1,
    afterMs: index,
  }));
  const base = sampleExploration({ commits, waves: [], attempts: [] });
  return { ...base, sessions: base.sessions.map((session) => ({ ...session, budgetMs, end: null })), ...more };
}

/** Plays an exploration through: planes that take and give back in any order. Gives every point that was tried. */
function play(
  begin: Exploration,
  turns: readonly number[],
  isProven: (name: string, tries: number) => boolean,
): readonly string[] {
  let current = begin;
  const dealer = createDealer(
    () => current,
    () => startMs,
  );
  const inHand: (readonly CrashPoint[])[] = [];
  const tried: string[] = [];
  for (let turn = 0; turn < 10_000; turn += 1) {
    const dealt = dealer.next();
    if (dealt.kind === 'none') return tried;
    if (dealt.kind === 'points') inHand.push(dealt.points);
    const isFull = inHand.length >= 3 || dealt.kind === 'wait';
    if (!isFull) continue;
    const [points = []] = inHand.splice((turns[turn % Math.max(1, turns.length)] ?? 0) % inHand.length, 1);
    const attempts = points.map((point) => {
      const name = pointName(point);
      tried.push(name);
      const tries = tried.filter((each) => each === name).length;
      return isProven(name, tries) ? sampleOutcome(point) : unprovenOutcome(point);
    });
    current = { ...current, attempts: [...current.attempts, ...attempts] };
    dealer.giveBack(points);
  }
  throw new Error('it never came to an end');
}

describe('createDealer', () => {
  it('deals every point exactly once when each try proves something', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9)), (turns) => {
        const begin = exploration();
        const tried = play(begin, turns, () => true);
        expect(tried.toSorted()).toEqual(crashPoints(begin.commits).map(pointName).toSorted());
      }),
    );
  });

  it('deals what was not proven again, at most three times in all', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9)), fc.nat(4), (turns, triesOfLast) => {
        const last = 'c9 after';
        const tried = play(exploration(), turns, (name, tries) => name !== last || tries === triesOfLast);
        const wanted = triesOfLast === 0 || triesOfLast > triesPerSession ? triesPerSession : triesOfLast;
        expect(tried.filter((name) => name === last)).toHaveLength(wanted);
        expect(tried).toHaveLength(17 + wanted);
      }),
    );
  });

  it('deals in a resumed session exactly what has no outcome yet', () => {
    fc.assert(
      fc.property(fc.subarray([...crashPoints(exploration().commits)]), fc.array(fc.nat(9)), (proven, turns) => {
        const begin = exploration({ attempts: proven.map((point) => sampleOutcome(point)) });
        const [session] = begin.sessions;
        const resumed = { ...begin, sessions: session === undefined ? [] : [session, session] };
        const names = new Set(proven.map(pointName));
        const rest = crashPoints(begin.commits)
          .map(pointName)
          .filter((name) => !names.has(name));
        const tried = play(resumed, turns, () => true);
        expect(tried.toSorted()).toEqual(rest.toSorted());
      }),
    );
  });

  it('deals what shared a wave that left something alone, and after everything else', () => {
    const points = crashPoints(exploration().commits);
    const leftover = { reason: 'leftover', detail: '' } as const;
    const shared = points.slice(0, 2).map((point) => unprovenOutcome(point, { because: leftover }));
    let current = exploration({ attempts: shared });
    const dealer = createDealer(
      () => current,
      () => startMs,
    );
    const waves: string[][] = [];
    for (let dealt = dealer.next(); dealt.kind === 'points'; dealt = dealer.next()) {
      waves.push(dealt.points.map(pointName).toSorted());
      current = { ...current, attempts: [...current.attempts, ...dealt.points.map((point) => sampleOutcome(point))] };
      dealer.giveBack(dealt.points);
    }
    const names = points.slice(0, 2).map(pointName).toSorted();
    expect(waves.slice(-2).map((wave) => wave.length)).toEqual([1, 1]);
    expect(waves.slice(-2).flat().toSorted()).toEqual(names);
    expect(waves.slice(0, -2).flat()).toHaveLength(points.length - 2);
    expect(waves.slice(0, -2).flat()).not.toContain(names[0]);
  });

  it('deals nothing more when the time is over, also when points are waiting', () => {
    const begin = exploration({}, 60_000);
    expect(
      createDealer(
        () => begin,
        () => startMs + 60_000,
      ).next(),
    ).toEqual({ kind: 'none' });
    expect(
      createDealer(
        () => begin,
        () => startMs + 59_000,
      ).next(),
    ).toMatchObject({ kind: 'points' });
  });

  it('tells who waits as soon as something was given back', async () => {
    const begin = exploration();
    const dealer = createDealer(
      () => begin,
      () => startMs,
    );
    const told = dealer.somethingGivenBack();
    dealer.giveBack([]);
    await told;
  });
});
