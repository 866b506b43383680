import { expect, test } from 'vitest';
import * as given from './facts.testing.ts';
import { stallReason } from './stall-reason.ts';

function reasonAt(
  atMs: number,
  wakes: readonly ReturnType<typeof given.truthWake>[],
  ...moments: readonly given.Moment[]
): string {
  const timeline = given.timelineOf([given.createdAt(1_000), given.restAt(90_000), ...moments]);
  return stallReason(
    given.goodFacts({ timeline, truth: { before: null, after: null, rest: given.truth({ wakes }) } }),
    atMs,
  );
}

test('a wake that is deferred, claimed or queued is named', () => {
  const wakes = [
    given.truthWake(),
    given.truthWake({ id: 'w2', status: 'claimed' }),
    given.truthWake({ id: 'w3', status: 'completed' }),
  ];
  expect(reasonAt(90_000, wakes)).toBe(
    'wake wake-9 (issue_commented) exists but is deferred; wake w2 (issue_commented) is claimed',
  );
});

test('rows at rest say nothing about a stall that ended before', () => {
  expect(reasonAt(60_000, [given.truthWake()])).toBe('no wake, no run and no reason on record');
});

test('runs and the issue are named as they were last seen by then', () => {
  const later = given.runAt(70_000, { status: 'succeeded' });
  expect(reasonAt(60_000, [], given.runAt(5_000, { status: 'queued' }), given.issueAt(6_000, 'todo'), later)).toBe(
    'run run-a is queued and was not started; the issue is todo',
  );
});

test('a blocker that is blocked itself and a retry that was due are named', () => {
  const blocked = given.issueAt(5_000, 'blocked', { blockedBy: [{ id: 'i2', status: 'blocked' }] });
  const retry = given.runAt(5_000, { status: 'scheduled_retry', scheduledRetryAt: given.wallAt(9_000) });
  expect(reasonAt(60_000, [], blocked, retry)).toBe(
    'run run-a waits for a retry that was due; blocked by i2, which is blocked itself; the issue is blocked',
  );
});
