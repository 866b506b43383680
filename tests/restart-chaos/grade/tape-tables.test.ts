import { expect, test } from 'vitest';
import { isTerminalRunStatus } from '../model/view.ts';
import { isActiveRun, isFinishedRow, isOverForGood, isWaitingRun, tapeTables } from './tape-tables.ts';

test('every kind of row has one table', () => {
  const kinds = Object.values(tapeTables);
  expect(new Set(kinds).size).toBe(kinds.length);
});

test.each([
  ['queued', 'waiting'],
  ['scheduled_retry', 'waiting'],
  ['running', 'active'],
  ['a status of a newer release', 'active'],
  ['succeeded', 'over'],
  ['interrupted', 'over'],
])('a run that is %s is %s', (status, what) => {
  const is = { waiting: isWaitingRun(status), active: isActiveRun(status), over: isFinishedRow('run', status) };
  expect(Object.entries(is).flatMap(([name, holds]) => (holds ? [name] : []))).toEqual([what]);
  expect(is.over).toBe(isTerminalRunStatus(status));
});

test('a wake that is deferred or claimed is open', () => {
  expect(['deferred_issue_execution', 'claimed', 'queued'].some((status) => isFinishedRow('wake', status))).toBe(false);
});

test('runs and wakes are over for good, issues can be reopened', () => {
  expect(isOverForGood('run', 'failed')).toBe(true);
  expect(isOverForGood('wake', 'completed')).toBe(true);
  expect(isOverForGood('wake', 'claimed')).toBe(false);
  expect(isOverForGood('issue', 'done')).toBe(false);
});
