import { expect, test } from 'vitest';
import type { MomentTrigger } from '../model/fault.ts';
import type { PlanOptions } from '../model/options.ts';
import { checkPlanOptions } from './check-plan-options.ts';
import { absenceProblem, kindProblem, triggerProblems } from './trigger-problems.ts';

const options = checkPlanOptions({ seed: 1 });
const boundary = (id: Extract<MomentTrigger, { on: 'boundary' }>['id']): MomentTrigger => ({
  on: 'boundary',
  id,
  occurrence: 1,
});
const commit: MomentTrigger = { on: 'commit', pattern: 'insert issues', occurrence: 1, side: 'before' };

test.each<[string, Partial<PlanOptions>, readonly string[]]>([
  ['no trigger', {}, []],
  ['no trigger and no fault', { faults: ['none'] }, []],
  ['a commit of any workload', { trigger: commit }, []],
  ['a boundary of one of the workloads', { trigger: boundary('BT09') }, []],
  ['a boundary and no fault', { trigger: boundary('BT04'), faults: ['none'] }, ['needs a fault']],
  ['an absent boundary', { trigger: boundary('BT15'), faults: ['DB1'] }, ['no workload has an approval']],
  ['Stop of S1', { trigger: { on: 'stop' }, workloads: ['S1'] }, []],
  ['Stop and no fault', { trigger: { on: 'stop' }, workloads: ['S1'], faults: ['none'] }, ['needs a fault']],
  [
    'Stop of tasks that nobody stops',
    { trigger: { on: 'stop' }, workloads: ['A1', 'S1'] },
    ['--trigger stop: only a workload in which the board presses Stop has that moment (S1); got A1'],
  ],
  ['a boundary of another workload', { trigger: boundary('BT06'), workloads: ['A1', 'C1'] }, ['no task of A1, C1']],
  [
    'several at once',
    { trigger: boundary('BT08'), workloads: ['A1'], faults: ['DB1', 'DB2'] },
    ['no task of A1 comes to BT08', 'DB1 cannot strike at BT08 (commit)', 'DB2 cannot strike at BT08 (commit)'],
  ],
])('%s', (_, changes, expected) => {
  const found = triggerProblems({ ...options, ...changes });
  expect(found).toHaveLength(expected.length);
  for (const [index, part] of expected.entries()) expect(found[index]).toContain(part);
});

test('what a plane does not have, and what a fault cannot do, is said each with its reason', () => {
  expect(absenceProblem(options.target, commit)).toBe(null);
  expect(absenceProblem(options.target, boundary('BT16'))).toBe(null);
  expect(absenceProblem(options.target, boundary('BT14'))).toBe(
    'BT14 cannot be met on paperclip@2026.916.1: no workload has subtasks',
  );
  expect(kindProblem('K1', options.target, commit)).toEqual([]);
  expect(kindProblem('DB3', options.target, boundary('BT17'))).toEqual([
    'DB3 cannot strike at BT17 (shutdown): it disturbs a server that runs, not one that ends or begins',
  ]);
});
