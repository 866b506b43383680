import { expect, test } from 'vitest';
import { failingGrade, sampleRecord, sampleTask } from '../../fixtures/sample-wave.ts';
import { signatureText, type Signature } from '../model/record.ts';
import { groupSignatures, isNewGroup, tasksOf } from './signature-groups.ts';

function recordOf(...changes: readonly Partial<Signature>[]): ReturnType<typeof sampleRecord> {
  const [shown] = failingGrade().signatures;
  if (shown === undefined) throw new Error('the sample has a failure');
  const tasks = changes.map((change, index) => {
    const task = `t0${index + 1}`;
    const signature = { ...shown.signature, ...change };
    const signatures = [{ ...shown, signature, text: signatureText(signature) }];
    return { plan: sampleTask(task), identifier: null, grade: { ...failingGrade(), task, signatures } };
  });
  return sampleRecord({ tasks });
}

test('one failure of several kinds of agent is one group that names them all', () => {
  const record = recordOf({ adapter: 'scripted' }, { adapter: 'process' }, { temperament: 'sturdy' });
  const [group, ...others] = groupSignatures(record);
  expect(others).toEqual([]);
  expect(group?.text).toBe('R3 no_retry_offered · K1 · scripted, process · fragile, sturdy');
  expect(group?.signatures).toHaveLength(3);
  expect(group === undefined ? [] : tasksOf(group)).toEqual(['t01', 't02', 't03']);
});

test.each([
  ['another fault', { fault: 'K4' }],
  ['another code', { code: 'retry_dead' }],
  ['another rule', { rule: 'R6' }],
] as const)('%s is another group', (_what, change) => {
  expect(groupSignatures(recordOf({}, change))).toHaveLength(2);
});

test('a group is new when one of its agents shows it for the first time', () => {
  const [group] = groupSignatures(recordOf({ adapter: 'scripted' }, { adapter: 'process' }));
  if (group === undefined) throw new Error('there is a group');
  expect(isNewGroup(group, ['R3 no_retry_offered · K1 · process · fragile'])).toBe(true);
  expect(isNewGroup(group, ['R3 no_retry_offered · K4 · process · fragile'])).toBe(false);
});
