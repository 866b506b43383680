import { expect, test } from 'vitest';
import type { IssueView } from '../model/view.ts';
import * as given from './facts.testing.ts';
import { namedWaits } from './named-waits.ts';

function waits(...moments: readonly given.Moment[]): readonly (readonly number[])[] {
  const timeline = given.timelineOf([given.createdAt(1_000), given.restAt(90_000), ...moments]);
  return namedWaits(given.goodFacts({ timeline })).map(({ fromMs, toMs }) => [Math.round(fromMs), Math.round(toMs)]);
}

function issue(changes: Partial<IssueView>): given.Moment {
  return given.issueAt(10_000, 'in_progress', changes);
}

test('a retry with a due time is waited for until then', () => {
  expect(waits(issue({ scheduledRetry: { runId: 'r', dueAt: given.wallAt(40_000) } }))).toEqual([[10_000, 40_000]]);
  expect(waits(given.runAt(10_000, { status: 'scheduled_retry', scheduledRetryAt: given.wallAt(40_000) }))).toEqual([
    [10_000, 40_000],
  ]);
});

test('the wait ends when the plane takes it back', () => {
  const retry = issue({ scheduledRetry: { runId: 'r', dueAt: given.wallAt(40_000) } });
  expect(waits(retry, given.issueAt(20_000, 'in_progress'))).toEqual([[10_000, 20_000]]);
  const run = given.runAt(10_000, { status: 'scheduled_retry', scheduledRetryAt: given.wallAt(40_000) });
  expect(waits(run, given.runAt(20_000, { status: 'queued' }))).toEqual([[10_000, 20_000]]);
});

test('a retry without a due time is no wait', () => {
  expect(waits(issue({ scheduledRetry: { runId: 'r', dueAt: null } }))).toEqual([]);
  expect(waits(given.runAt(10_000, { status: 'scheduled_retry' }))).toEqual([]);
});

test.each([
  ['in_progress', [[10_000, 90_000]]],
  ['todo', [[10_000, 90_000]]],
  ['blocked', []],
  ['done', []],
])('a blocker that is %s is waited for: %j', (status, expected) => {
  expect(waits(issue({ blockedBy: [{ id: 'i2', status }] }))).toEqual(expected);
});

test('nothing is due once the issue is final', () => {
  expect(waits(given.issueAt(50_000, 'done'))).toEqual([[50_000, 90_000]]);
});
