import { expect, test } from 'vitest';
import { commentLike, viewLike } from '../../fixtures/board/views.ts';
import type { TaskView } from '../model/view.ts';
import { isStalled, startStallClock, type StallLook, stepStallClock } from './stall-clock.ts';

const before = viewLike({ status: 'in_progress' }, [{ id: 'r1', status: 'running', outputSeq: 1 }]);

function quietSince(after: Partial<StallLook>): number {
  const look = { view: before, faultInProgress: false, namedWait: false, humanInputAtMs: null };
  const clock = stepStallClock(startStallClock(0), { ...look, atMs: 0 });
  return stepStallClock(clock, { ...look, atMs: 100, ...after }).quietSinceMs;
}

const views: readonly (readonly [string, TaskView, boolean])[] = [
  ['the same view', before, false],
  ['a run changes state', viewLike({}, [{ id: 'r1', status: 'failed', outputSeq: 1 }]), true],
  ['output grows', viewLike({}, [{ id: 'r1', status: 'running', outputSeq: 2 }]), true],
  [
    'a queued run appears',
    viewLike({}, [
      { id: 'r2', status: 'queued' },
      { id: 'r1', status: 'running', outputSeq: 1 },
    ]),
    false,
  ],
  [
    'a scheduled retry appears',
    viewLike({}, [
      { id: 'r2', status: 'scheduled_retry' },
      { id: 'r1', status: 'running', outputSeq: 1 },
    ]),
    true,
  ],
  ['the issue changes its status', viewLike({ status: 'blocked' }, before.runs), true],
  ['only a lock of the issue changes', viewLike({ checkoutRunId: 'r1', updatedAt: 'later' }, before.runs), false],
  ['a comment appears', { ...before, comments: [commentLike()] }, true],
  ['a document is written', { ...before, documents: [{ key: 'brief', revision: 1, body: '', updatedAt: '' }] }, true],
  ['something only vanishes', viewLike({}, []), false],
];

test.each(views)('%s', (_title, view, progress) => {
  expect(quietSince({ view })).toBe(progress ? 100 : 0);
});

test('time of a fault and of a named wait does not count', () => {
  expect(quietSince({ faultInProgress: true })).toBe(100);
  expect(quietSince({ namedWait: true })).toBe(100);
});

test('human input starts the clock again, at its own time', () => {
  expect(quietSince({ humanInputAtMs: 60 })).toBe(60);
});

test('a look that failed is no progress, and what comes after it is compared with the last one that did not', () => {
  const look = { faultInProgress: false, namedWait: false, humanInputAtMs: null };
  let clock = stepStallClock(startStallClock(0), { ...look, atMs: 0, view: before });
  clock = stepStallClock(clock, { ...look, atMs: 50, view: null });
  clock = stepStallClock(clock, { ...look, atMs: 90, view: before });
  expect(clock.quietSinceMs).toBe(0);
  expect([isStalled(clock, 599, 600), isStalled(clock, 600, 600)]).toEqual([false, true]);
});
