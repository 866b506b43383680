import { describe, expect, test } from 'vitest';
import type { WavePlan } from '../model/plan.ts';
import { checkPlanOptions, type RawPlanOptions } from './check-plan-options.ts';
import { planWave } from './plan-wave.ts';
import { remoteProblems } from './remote-problems.ts';

const daytonaImage = `ghcr.io/x/runner@sha256:${'a'.repeat(64)}`;
const planOf = (raw: RawPlanOptions): WavePlan =>
  planWave(checkPlanOptions({ seed: 1, env: 'daytona', daytonaImage, ...raw }));

describe('remoteProblems', () => {
  test.each<[string, RawPlanOptions, number, boolean]>([
    ['10 tasks at a time with 4 each in 40 – taken', { concurrency: 10 }, 40, true],
    ['11 tasks at a time with 4 each in 40 – refused', { concurrency: 11 }, 40, false],
    ['2 tasks at a time with 4 each in 8 – taken', { concurrency: 2 }, 8, true],
    ['3 tasks at a time with 4 each in 8 – refused', { concurrency: 3 }, 8, false],
    ['3 tasks at a time with 2 each in 8 – taken', { concurrency: 3, daytonaCpu: 2 }, 8, true],
  ])('%s', (_, raw, budget, isTaken) => {
    expect(remoteProblems(planOf(raw), budget)).toHaveLength(isTaken ? 0 : 1);
  });

  test('says what is asked for, what there is, and what to lower', () => {
    expect(remoteProblems(planOf({ concurrency: 11 }), 40)).toEqual([
      '11 tasks at a time with 4 virtual processors each take 44, and a wave may take 40: ' +
        'lower --concurrency or --daytona-cpu, or raise RESTART_CHAOS_DAYTONA_VCPU_BUDGET',
    ]);
  });

  test('refuses the lab, which has no sandboxes, and B5 in a plan that was edited by hand', () => {
    expect(remoteProblems(planOf({ target: 'lab' }), 40)).toEqual([
      '--env daytona needs a Paperclip plane: the lab has no sandboxes; got --target lab',
    ]);
    const plan = planOf({});
    const edited = { ...plan, tasks: plan.tasks.map((task) => ({ ...task, workload: 'B5' as const })) };
    expect(remoteProblems(edited, 40)).toEqual([
      '--workloads B5 runs with --env local only: its oracle reads the live worktree',
    ]);
  });

  test('has nothing to say about a plan on this machine', () => {
    const plan = planWave(checkPlanOptions({ seed: 1, concurrency: 16, workloads: 'B5', target: 'lab' }));
    expect(remoteProblems(plan, 1)).toEqual([]);
  });
});
