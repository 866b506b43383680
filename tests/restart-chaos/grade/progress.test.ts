import { expect, test } from 'vitest';
import * as given from './facts.testing.ts';
import { humanInputsMs, progressMs } from './progress.ts';

function progress(...moments: readonly given.Moment[]): readonly number[] {
  return progressMs(given.goodFacts({ timeline: given.timelineOf(moments) }));
}

test('a change of status is progress, a row that was touched is none', () => {
  const touched = given.issueAt(2_000, 'todo', { updatedAt: given.wallAt(2_000), executionRunId: 'run-a' });
  expect(progress(given.issueAt(1_000, 'todo'), touched, given.issueAt(3_000, 'in_progress'))).toEqual([1_000, 3_000]);
});

test.each(['queued', 'scheduled_retry'])('a run that is %s is no progress', (status) => {
  expect(progress(given.runAt(1_000, { status }))).toEqual([]);
});

test('a run that starts and ends is progress twice', () => {
  const seen = ['running', 'running', 'failed'].map((status, index) => given.runAt(index * 1_000, { status }));
  expect(progress(...seen)).toEqual([0, 2_000]);
});

test('the word of the agent counts only where the plane tells nothing of output', () => {
  const step = given.beaconAt(5_000, 'step');
  expect(progress(step)).toEqual([5_000]);
  expect(progress(given.runAt(1_000, { outputSeq: 0 }), step)).toEqual([1_000]);
});

test('a follow-up and a click are human input', () => {
  const sent = given.at(1_000, {
    kind: 'follow_up_sent',
    task: 't01',
    what: 'steer',
    commentId: 'c1',
    httpStatus: 201,
    error: null,
  });
  const click = given.at(2_000, {
    kind: 'retry_clicked',
    task: 't01',
    offer: { place: 'run', runId: 'r' },
    answer: null,
    error: 'timeout',
  });
  expect(humanInputsMs(given.goodFacts({ timeline: given.timelineOf([sent, click]) }))).toEqual([1_000, 2_000]);
});
