import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openReplaySession, type ReplaySession } from '../../fixtures/board/replay-plane-session.ts';
import { singleAnswer } from '../../fixtures/board/replay-plane.ts';
import { viewLike } from '../../fixtures/board/views.ts';
import { numbersFor } from '../model/numbers.ts';
import type { TaskView } from '../model/view.ts';
import { paperclip202609 } from './dialects/paperclip-2026-09.ts';
import { createRetryClicker, hasStopped, type RetryClicker } from './retry-clicker.ts';

const failed = { id: 'r1', status: 'failed', phase: 'failed' };
const stopped = viewLike({}, [failed]);
const call = 'POST /api/agents/a1/wakeup';

let session: ReplaySession;
let clicker: RetryClicker;
beforeEach(async () => {
  session = await openReplaySession();
  const { client, emit, clock } = session;
  const options = { client, dialect: paperclip202609, task: 't01', issueId: 'i1', agentId: 'a1', emit, clock };
  clicker = createRetryClicker({ ...options, numbers: numbersFor(1) });
});
afterEach(() => session.close());

/** One look a second. */
async function looks(count: number, view: TaskView | null, faultInProgress = false): Promise<void> {
  for (let look = 0; look < count; look += 1) {
    session.clock.move(1_000);
    await clicker.tend({ view, faultInProgress });
  }
}
const clicks = (): number => session.plane.received.length;
const kinds = (): string[] => session.events.map(({ kind }) => kind);

test('an offer that stands for half a minute is recorded and clicked once', async () => {
  session.plane.answer(call, singleAnswer('retryAccepted'));
  await looks(30, stopped);
  expect(kinds()).toEqual([]);
  await looks(10, stopped);
  expect(kinds()).toEqual(['retry_offered', 'retry_clicked']);
  expect(session.events[1]).toMatchObject({
    offer: { place: 'run', runId: 'r1' },
    answer: { accepted: true },
    error: null,
  });
  expect([clicks(), clicker.acceptedAtMs()]).toEqual([1, 31_000]);
});

test('a refused click is not repeated', async () => {
  session.plane.answer(call, singleAnswer('retrySkipped'));
  await looks(50, stopped);
  expect(clicks()).toBe(1);
  expect(session.events[1]).toMatchObject({ answer: { accepted: false, httpStatus: 202 } });
  expect(clicker.acceptedAtMs()).toBeNull();
});

test('a click without an answer is made again at the next look', async () => {
  session.plane.answer(call, 'hang', singleAnswer('retryAccepted'));
  await looks(40, stopped);
  expect(kinds()).toEqual(['retry_offered', 'retry_clicked', 'retry_clicked']);
  expect(session.events[1]).toMatchObject({ answer: null, error: expect.any(String) });
  expect(session.events[2]).toMatchObject({ answer: { accepted: true }, error: null });
  expect(clicks()).toBe(2);
});

test('a second click without an answer is the last', async () => {
  session.plane.answer(call, 'reset', 'reset', singleAnswer('retryAccepted'));
  await looks(50, stopped);
  expect(kinds()).toEqual(['retry_offered', 'retry_clicked', 'retry_clicked']);
  expect([clicks(), clicker.acceptedAtMs()]).toEqual([2, null]);
});

test('a click without an answer is not made again on another run', async () => {
  session.plane.answer(call, 'reset', singleAnswer('retryAccepted'));
  await looks(31, stopped);
  await looks(40, viewLike({}, [failed, { ...failed, id: 'r2' }]));
  expect(kinds()).toEqual(['retry_offered', 'retry_clicked', 'retry_offered']);
  expect(clicks()).toBe(1);
});

test('with short waits the offer stands for half the rest window', async () => {
  const { client, emit, clock } = session;
  const options = { client, dialect: paperclip202609, task: 't01', issueId: 'i1', agentId: 'a1', emit, clock };
  clicker = createRetryClicker({ ...options, numbers: numbersFor(0.1) });
  session.plane.answer(call, singleAnswer('retryAccepted'));
  await looks(3, stopped);
  expect(kinds()).toEqual([]);
  await looks(1, stopped);
  expect(kinds()).toEqual(['retry_offered', 'retry_clicked']);
});

test('a look without the offer starts the half minute again', async () => {
  await looks(30, stopped);
  await looks(1, null);
  await looks(30, stopped);
  expect(kinds()).toEqual([]);
});

test('while a fault is in progress nothing is offered', async () => {
  await looks(40, stopped, true);
  await looks(30, stopped);
  expect(kinds()).toEqual([]);
});

test('an offer on another run is another offer: recorded, not clicked again', async () => {
  session.plane.answer(call, singleAnswer('retryAccepted'));
  await looks(32, stopped);
  await looks(32, viewLike({}, [failed, { ...failed, id: 'r2' }]));
  expect(kinds()).toEqual(['retry_offered', 'retry_clicked', 'retry_offered']);
  expect(clicks()).toBe(1);
});

test('a failed run that the plane takes up again by its next sweep and tick is never clicked', async () => {
  await looks(26, stopped);
  await looks(40, viewLike({}, [failed, { id: 'r2', status: 'scheduled_retry' }]));
  expect(kinds()).toEqual([]);
});

describe('a task has stopped when nothing of it is on its way and it is not finished', () => {
  const rows: readonly (readonly [string, TaskView, boolean])[] = [
    ['all runs over', stopped, true],
    ['blocked', viewLike({ status: 'blocked' }, [failed]), true],
    ['done', viewLike({ status: 'done' }, [failed]), false],
    ['cancelled', viewLike({ status: 'cancelled' }, [failed]), false],
    ['a run is queued', viewLike({}, [failed, { id: 'r2', status: 'queued' }]), false],
    ['a run is running', viewLike({}, [failed, { id: 'r2', status: 'running' }]), false],
    ['a retry is scheduled', viewLike({}, [failed, { id: 'r2', status: 'scheduled_retry' }]), false],
    ['the issue names a scheduled retry', viewLike({ scheduledRetry: { runId: null, dueAt: null } }, [failed]), false],
  ];
  test.each(rows)('%s', (_title, view, expected) => {
    expect(hasStopped(view)).toBe(expected);
  });
});
