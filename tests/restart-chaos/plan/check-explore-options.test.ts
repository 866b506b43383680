import { describe, expect, it } from 'vitest';
import { UsageError } from '../model/errors.ts';
import { checkExploreOptions, type RawExploreOptions } from './check-explore-options.ts';

function problemsOf(raw: RawExploreOptions): readonly string[] {
  try {
    checkExploreOptions(raw, 6);
  } catch (error) {
    if (error instanceof UsageError) return error.problems;
    throw error;
  }
  return [];
}

describe('checkExploreOptions', () => {
  it('needs a seed and a workload, and fills in the rest', () => {
    expect(checkExploreOptions({ seed: '7', workload: 'A1' }, 6)).toEqual({
      kind: 'new',
      options: {
        seed: 7,
        target: 'paperclip@2026.916.1',
        workload: 'A1',
        adapter: 'scripted',
        temperament: 'fragile',
        pace: { steps: 4, stepMs: 500 },
        fault: 'K1',
        budgetCents: 3_000,
        timeScale: 1,
      },
      effort: { planes: 6, pointsPerWave: 12, budgetMs: null },
    });
  });

  it.each([
    ['90s', 90_000],
    ['20m', 1_200_000],
    ['1h', 3_600_000],
  ])('reads a budget of %s', (budget, budgetMs) => {
    expect(checkExploreOptions({ seed: 1, workload: 'A1', budget }, 6).effort.budgetMs).toBe(budgetMs);
  });

  it('names every problem at once', () => {
    const problems = problemsOf({
      workload: 'A2',
      adapter: 'scriptd',
      fault: 'DB1',
      budget: '20',
      planes: 0,
      temperament: 'meek',
    });
    expect(problems).toEqual([
      '--planes takes a whole number from 1 to 32; got "0"',
      '--budget takes a length of time such as 90s, 20m or 1h; got "20"',
      expect.stringMatching(/^--seed takes a whole number .*; it is missing$/),
      expect.stringMatching(/^--workload takes one of A1, B1, B5, C1.*got "A2"/),
      expect.stringMatching(
        /^--adapter takes one of scripted, process, .*; got "scriptd" \(did you mean scripted\?\)$/,
      ),
      expect.stringMatching(/^--temperament takes one of fragile, sturdy; got "meek"/),
      expect.stringMatching(/^--fault takes one of K1, K2, K3, K4, K5, K6; got "DB1"/),
    ]);
  });

  it('goes on with an exploration and takes only what may change', () => {
    const id = 'x-20261130T164512-s42';
    expect(checkExploreOptions({ resume: id, planes: '2', budget: '5m' }, 6)).toEqual({
      kind: 'resume',
      id,
      effort: { planes: 2, pointsPerWave: 12, budgetMs: 300_000 },
    });
    expect(problemsOf({ resume: id, workload: 'A1', timeScale: 1 })).toEqual([
      '--resume goes on with what was asked for then; leave out --workload, --time-scale',
    ]);
    expect(problemsOf({ resume: '../elsewhere' })).toEqual([
      expect.stringContaining('--resume takes the id of an exploration'),
    ]);
  });
});
