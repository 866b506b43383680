import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crashPoints, type ExploreOptions } from '../model/exploration.ts';
import { wavePlanSchema } from '../model/plan.ts';
import { explorePace } from './check-explore-options.ts';
import { pointsPlan, recordingPlan, type PointsWave } from './explore-plan.ts';
import { planText } from './plan-text.ts';
import { readPlan } from './read-plan.ts';

const options: ExploreOptions = {
  seed: 42,
  target: 'paperclip@2026.916.1',
  workload: 'A1',
  adapter: 'scripted',
  temperament: 'fragile',
  pace: explorePace,
  fault: 'K1',
  budgetCents: 3_000,
  timeScale: 1,
};
const commits = [
  { id: 'c01', pattern: 'insert issues', occurrence: 1, afterMs: 5 },
  { id: 'c02', pattern: 'update heartbeat_runs set status=running', occurrence: 2, afterMs: 900 },
];

describe('recordingPlan', () => {
  it('has three tasks alike, one after another, without a fault', () => {
    const plan = recordingPlan(options);
    expect(plan.concurrency).toBe(1);
    const kinds = plan.tasks.map(({ id: _id, nonce: _nonce, ...kind }) => kind);
    expect(kinds).toEqual([kinds[0], kinds[0], kinds[0]]);
    expect(kinds[0]).toMatchObject({
      workload: 'A1',
      adapter: 'scripted',
      temperament: 'fragile',
      pace: explorePace,
      faults: [],
    });
    expect(new Set(plan.tasks.map(({ nonce }) => nonce)).size).toBe(3);
  });
});

const wave = (name: string, allowedWaitMs = 0): PointsWave => ({ name, allowedWaitMs });

describe('pointsPlan', () => {
  it('gives the wave the time that its plane and its tasks may wait for their turns, and no task more', () => {
    const points = crashPoints(commits).slice(0, 3);
    const [alone, shared] = [0, 60_000].map((waitMs) => pointsPlan(options, commits, points, wave('p01', waitMs)));
    expect((shared?.deadlineMs ?? 0) - (alone?.deadlineMs ?? 0)).toBe(4 * 60_000);
    expect(shared?.tasks).toEqual(alone?.tasks);
  });

  it('has one task for each point, with one fault at its commit', () => {
    const plan = pointsPlan(options, commits, crashPoints(commits), wave('p01'));
    expect(plan.concurrency).toBe(1);
    expect(plan.tasks.map(({ id, faults }) => [id, faults.map(({ kind, trigger }) => [kind, trigger])])).toEqual([
      ['t01', [['K1', { on: 'commit', pattern: 'insert issues', occurrence: 1, side: 'before' }]]],
      ['t02', [['K1', { on: 'commit', pattern: 'insert issues', occurrence: 1, side: 'after' }]]],
      [
        't03',
        [['K1', { on: 'commit', pattern: 'update heartbeat_runs set status=running', occurrence: 2, side: 'before' }]],
      ],
      [
        't04',
        [['K1', { on: 'commit', pattern: 'update heartbeat_runs set status=running', occurrence: 2, side: 'after' }]],
      ],
    ]);
  });

  it('can be saved and read back, whatever fault follows the kill', () => {
    const kinds = ['K1', 'K2', 'K3', 'K4', 'K5', 'K6'] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.nat(),
        fc.subarray([...crashPoints(commits)], { minLength: 1 }),
        (fault, seed, points) => {
          const plan = pointsPlan({ ...options, fault, seed }, commits, points, wave('p01'));
          expect(wavePlanSchema.safeParse(plan).success).toBe(true);
          expect(readPlan(planText(plan))).toEqual(plan);
          expect(new Set(plan.tasks.map(({ nonce }) => nonce)).size).toBe(points.length);
        },
      ),
    );
  });

  it('gives another try of a point another nonce and the same parameters', () => {
    const points = crashPoints(commits).slice(0, 1);
    const tries = ['p01', 'p02'].map(
      (name) => pointsPlan({ ...options, fault: 'K4' }, commits, points, wave(name)).tasks[0],
    );
    expect(tries[0]?.nonce).not.toBe(tries[1]?.nonce);
    expect(tries[0]?.faults).toEqual(tries[1]?.faults);
  });
});
