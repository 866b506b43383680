import { expect, test } from 'vitest';
import { viewLike } from '../../fixtures/board/views.ts';
import type { TaskView } from '../model/view.ts';
import { type Standing, standingOf, stateText } from './task-standing.ts';

const wallMs = Date.parse('2026-11-30T17:00:00.000Z');
const due = (offsetMs: number): string => new Date(wallMs + offsetMs).toISOString();

const rows: readonly (readonly [string, TaskView, boolean, Standing])[] = [
  ['no run yet', viewLike({ status: 'todo' }), false, 'idle'],
  ['queued', viewLike({}, [{ status: 'queued' }]), false, 'moving'],
  ['retry due later', viewLike({}, [{ status: 'scheduled_retry', scheduledRetryAt: due(1) }]), false, 'waiting'],
  ['retry due now', viewLike({}, [{ status: 'scheduled_retry', scheduledRetryAt: due(0) }]), false, 'moving'],
  ['retry named by the issue only', viewLike({ scheduledRetry: { runId: 'r', dueAt: due(1) } }), false, 'waiting'],
  ['running row without a process', viewLike({}, [{ status: 'running' }]), false, 'restable'],
  ['process without a row', viewLike({ status: 'done' }), true, 'moving'],
  ['all runs over', viewLike({}, [{ status: 'failed' }]), false, 'idle'],
  ['backlog', viewLike({ status: 'backlog' }), false, 'restable'],
  ['blocked by nothing', viewLike({ status: 'blocked' }), false, 'restable'],
  ['blocked by work', viewLike({ status: 'blocked', blockedBy: [{ id: 's', status: 'todo' }] }), false, 'waiting'],
  [
    'blocked by what is done',
    viewLike({ status: 'blocked', blockedBy: [{ id: 's', status: 'done' }] }),
    false,
    'restable',
  ],
];

test.each(rows)('%s', (_title, view, liveProcesses, standing) => {
  expect(standingOf(view, { wallMs, liveProcesses })).toBe(standing);
});

test('the text of a state changes with a lease and not with the time stamp of the issue', () => {
  const view = viewLike({}, [{ leaseStatus: 'active' }]);
  expect(stateText(viewLike({ updatedAt: 'later' }, [{ leaseStatus: 'active' }]))).toBe(stateText(view));
  expect(stateText(viewLike({}, [{ leaseStatus: 'released' }]))).not.toBe(stateText(view));
});
