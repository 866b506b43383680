import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crashPoints, pointName, type LifeCommit } from '../model/exploration.ts';
import { pointsByDifference } from './explore-order.ts';

const patterns = [
  'insert issues',
  'insert runs',
  'update runs set status=done',
  'insert runs + update issues',
  'update issues',
];
const anyCommits = fc.array(fc.constantFrom(...patterns), { maxLength: 30 }).map((list): readonly LifeCommit[] =>
  list.map((pattern, index) => ({
    id: `c${String(index + 1).padStart(2, '0')}`,
    pattern,
    occurrence: list.slice(0, index + 1).filter((each) => each === pattern).length,
    afterMs: index * 100,
  })),
);

describe('pointsByDifference', () => {
  it('has every point once, in an order that only the seed and the commits decide', () => {
    fc.assert(
      fc.property(anyCommits, fc.nat(), (commits, seed) => {
        const order = pointsByDifference(commits, seed).map(pointName);
        expect(order.toSorted()).toEqual(crashPoints(commits).map(pointName).toSorted());
        expect(pointsByDifference(commits, seed).map(pointName)).toEqual(order);
      }),
    );
  });

  it('has both sides of one commit of each pattern before it repeats a pattern', () => {
    fc.assert(
      fc.property(anyCommits, fc.nat(), (commits, seed) => {
        const different = new Set(commits.map(({ pattern }) => pattern)).size;
        const first = pointsByDifference(commits, seed).slice(0, different * 2);
        const patternsOfFirst = first.map(({ commit }) => commits.find(({ id }) => id === commit)?.pattern);
        expect(new Set(patternsOfFirst).size).toBe(different);
        expect(first.filter(({ side }) => side === 'before')).toHaveLength(different);
      }),
    );
  });

  it('spreads commits of one pattern over the life', () => {
    const commits = Array.from({ length: 9 }, (_, index) => ({
      id: `c0${index + 1}`,
      pattern: 'update issues',
      occurrence: index + 1,
      afterMs: index,
    }));
    for (let seed = 0; seed < 20; seed += 1) {
      const [first, , second] = pointsByDifference(commits, seed);
      const places = [first, second].map((point) => commits.findIndex(({ id }) => id === point?.commit));
      expect(Math.abs((places[0] ?? 0) - (places[1] ?? 0))).toBeGreaterThanOrEqual(4);
    }
  });
});
