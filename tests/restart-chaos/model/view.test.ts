import { expect, test } from 'vitest';
import { isTerminalIssueStatus, isTerminalRunStatus } from './view.ts';

test.each([
  ['queued', false],
  ['scheduled_retry', false],
  ['running', false],
  ['succeeded', true],
  ['failed', true],
  ['cancelled', true],
  ['timed_out', true],
  ['interrupted', true],
  ['a status nobody knows', false],
])('a run that is %s is final: %s', (status, expected) => {
  expect(isTerminalRunStatus(status)).toBe(expected);
});

test.each([
  ['backlog', false],
  ['todo', false],
  ['in_progress', false],
  ['in_review', false],
  ['blocked', false],
  ['done', true],
  ['cancelled', true],
])('an issue that is %s is final: %s', (status, expected) => {
  expect(isTerminalIssueStatus(status)).toBe(expected);
});
