import { describe, expect, test } from 'vitest';
import { UsageError } from '../model/errors.ts';
import { adapterIds } from '../model/plan.ts';
import { checkPlanOptions, type RawPlanOptions } from './check-plan-options.ts';

function problems(raw: RawPlanOptions): readonly string[] {
  try {
    checkPlanOptions(raw);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).problems;
  }
}

describe('checkPlanOptions', () => {
  test('with a seed alone gives the documented defaults', () => {
    expect(checkPlanOptions({ seed: '42' })).toEqual({
      seed: 42,
      target: 'paperclip@2026.916.1',
      environment: 'local',
      sandbox: null,
      tasks: 8,
      concurrency: 4,
      workloads: ['A1', 'B1', 'C1'],
      adapters: ['scripted', 'process'],
      faults: ['K1', 'K2', 'K4'],
      trigger: null,
      budgetCents: 3_000,
      timeScale: 1,
    });
  });

  test('reads strings and numbers alike', () => {
    const typed = { seed: '7', tasks: '3', concurrency: '2', budgetCents: '50', timeScale: '0.05' };
    const numbers = { seed: 7, tasks: 3, concurrency: 2, budgetCents: 50, timeScale: 0.05 };
    expect(checkPlanOptions(typed)).toEqual(checkPlanOptions(numbers));
  });

  test('puts lists in catalogue order and drops repetitions, so that equal choices are equal plans', () => {
    const options = checkPlanOptions({
      seed: 1,
      workloads: 'C1, A1,C1',
      adapters: 'process,scripted',
      faults: 'K6,K1',
    });
    expect(options).toMatchObject({ workloads: ['A1', 'C1'], adapters: ['scripted', 'process'], faults: ['K1', 'K6'] });
  });

  test.each<[string, RawPlanOptions]>([
    ['the largest seed', { seed: String(Number.MAX_SAFE_INTEGER) }],
    ['the smallest everything', { seed: 0, tasks: 1, concurrency: 1, budgetCents: 1, timeScale: 0.001 }],
    ['the largest everything', { seed: 0, tasks: 99, concurrency: 16, timeScale: '1' }],
    ['the control arm', { seed: 0, faults: 'none' }],
    ['B5 on this machine', { seed: 0, workloads: 'B5', env: 'local' }],
    ['a scale without a leading zero', { seed: 0, timeScale: '.5' }],
    ['the time by name', { seed: 0, trigger: 'time' }],
    ['a boundary that one of its workloads comes to', { seed: 0, trigger: 'bt:08' }],
    ['a database fault at a beacon', { seed: 0, trigger: 'bt:05', faults: 'DB3' }],
    ['a commit', { seed: 0, trigger: 'commit:insert issues' }],
    ['a checkout', { seed: 0, target: 'paperclip:/src/paperclip' }],
  ])('accepts %s', (_, raw) => {
    expect(problems(raw)).toEqual([]);
  });

  test.each<[string, RawPlanOptions, string]>([
    ['no seed', {}, '--seed takes a whole number from 0 to 9007199254740991; it is missing'],
    ['a seed below zero', { seed: '-1' }, '--seed takes a whole number from 0 to 9007199254740991; got "-1"'],
    ['a seed with a fraction', { seed: '1.5' }, 'got "1.5"'],
    ['a seed that is not safe', { seed: '9007199254740993' }, 'got "9007199254740993"'],
    ['an empty seed', { seed: '' }, '--seed takes a whole number from 0 to 9007199254740991; got ""'],
    ['no tasks', { seed: 1, tasks: 0 }, '--tasks takes a whole number from 1 to 99; got "0"'],
    ['too many tasks', { seed: 1, tasks: '100' }, 'got "100"'],
    ['too much at a time', { seed: 1, concurrency: 17 }, '--concurrency takes a whole number from 1 to 16; got "17"'],
    ['no budget', { seed: 1, budgetCents: '0' }, '--budget-cents takes a whole number from 1'],
    ['a scale of zero', { seed: 1, timeScale: '0' }, '--time-scale takes a number above 0 and up to 1'],
    ['a scale above one', { seed: 1, timeScale: '1.01' }, 'got "1.01"'],
    ['an unknown workload', { seed: 1, workloads: 'X9' }, '--workloads takes A1, B1, B5, C1, S1; got "X9"'],
    [
      'a mistyped adapter',
      { seed: 1, adapters: 'proces' },
      `--adapters takes ${adapterIds.join(', ')}; got "proces" (did you mean process?)`,
    ],
    [
      'a fault in lower case',
      { seed: 1, faults: 'k4' },
      '--faults takes K1, K2, K3, K4, K5, K6, DB1, DB2, DB3, DB4, PF1, PF2, PF3, PF4, PF5, PF6, PF7, PF8, PF9, PF10, PF11, PF12, none; got "k4" (did you mean K4?)',
    ],
    ['a database fault that does not exist', { seed: 1, faults: 'DB5' }, 'got "DB5" (did you mean DB1?)'],
    ['an empty list', { seed: 1, faults: '' }, 'got an empty name'],
    ['a comma too many', { seed: 1, workloads: 'A1,' }, 'got an empty name'],
    ['none beside a fault', { seed: 1, faults: 'K1,none' }, '--faults none is the control arm and cannot be combined'],
    ['another environment', { seed: 1, env: 'nope' }, '--env takes local, daytona; got "nope"'],
    ['sandboxes without an image', { seed: 1, env: 'daytona' }, '--env daytona needs the image of the runner'],
    [
      'a trigger of another form',
      { seed: 1, trigger: 'never' },
      '--trigger takes time, stop, bt:<number>[@<occurrence>]',
    ],
    [
      'a boundary that the plane does not have',
      { seed: 1, trigger: 'bt:10' },
      '--trigger: BT10 cannot be met on paperclip@2026.916.1: this plane ends the agent first and stores the Stop then, so that no commit lies between',
    ],
    [
      'a boundary that none of its workloads comes to',
      { seed: 1, trigger: 'bt:8', workloads: 'A1,B1' },
      '--trigger: no task of A1, B1 comes to BT08: only C1 and S1 have a comment of the board',
    ],
    [
      'a Retry before any fault',
      { seed: 1, trigger: 'bt:16' },
      '--trigger: no task of A1, B1, C1 comes to BT16: the board clicks Retry only after another fault',
    ],
    ['a trigger in the control arm', { seed: 1, trigger: 'bt:04', faults: 'none' }, '--trigger needs a fault'],
    [
      'a database fault at a commit',
      { seed: 1, trigger: 'commit:insert issues', faults: 'K1,DB2' },
      '--trigger: DB2 cannot strike at a commit: ',
    ],
    ['a defect on another plane', { seed: 1, defect: ['zombie-run'] }, '--defect is for --target lab'],
    ['a target of another form', { seed: 1, target: 'latest' }, '--target takes paperclip@<version>'],
  ])('refuses %s', (_, raw, message) => {
    expect(problems(raw)).toHaveLength(1);
    expect(problems(raw)[0]).toContain(message);
  });

  test('refuses B5 in a remote environment, and takes what else there is', () => {
    const daytonaImage = `ghcr.io/x/runner@sha256:${'a'.repeat(64)}`;
    expect(problems({ seed: 1, env: 'daytona', daytonaImage, workloads: 'A1' })).toEqual([]);
    expect(problems({ seed: 1, env: 'daytona', daytonaImage, workloads: 'A1,B5' })).toEqual([
      '--workloads B5 runs with --env local only: its oracle reads the live worktree',
    ]);
  });

  test('names every problem at once', () => {
    const raw = {
      seed: 'x',
      tasks: 0,
      concurrency: 0,
      workloads: 'A2,Q',
      adapters: 'cursor',
      faults: 'none,K9',
      timeScale: 2,
    };
    expect(problems(raw)).toHaveLength(8);
  });
});
