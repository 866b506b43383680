import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openReplaySession, type ReplaySession } from '../../fixtures/board/replay-plane-session.ts';
import { singleAnswer } from '../../fixtures/board/replay-plane.ts';
import { commentLike, viewLike } from '../../fixtures/board/views.ts';
import type { TaskView } from '../model/view.ts';
import { paperclip202609 } from './dialects/paperclip-2026-09.ts';
import { createSteerFollowUp, isSteerDue, type SteerFollowUp } from './follow-up.ts';

const running = [{ id: 'r1', status: 'running' }];
const rows: readonly (readonly [string, TaskView | null, readonly string[], boolean])[] = [
  ['running and a beacon of it', viewLike({}, running), ['r1'], true],
  ['running and a comment of it', viewLike({}, running, { comments: [commentLike()] }), [], true],
  ['running, nothing heard yet', viewLike({}, running), [], false],
  [
    'running, only the plane’s notice',
    viewLike({}, running, { comments: [commentLike({ authorType: 'system' })] }),
    [],
    false,
  ],
  [
    'running, activity only of an earlier run',
    viewLike({}, running, { comments: [commentLike({ createdByRunId: 'r0' })] }),
    ['r0'],
    false,
  ],
  ['active, but over', viewLike({}, [{ id: 'r1', status: 'succeeded' }]), ['r1'], false],
  ['queued', viewLike({}, [{ id: 'r1', status: 'queued' }]), ['r1'], false],
  ['no view', null, ['r1'], false],
];

describe('the steer is due while a run is running that has shown activity', () => {
  test.each(rows)('%s', (_title, view, active, due) => {
    expect(isSteerDue({ view, activeRunIds: new Set(active) })).toBe(due);
  });
});

const look = { view: viewLike({}, running), activeRunIds: new Set(['r1']) };
const call = 'POST /api/issues/i1/comments';
let session: ReplaySession;
let steer: SteerFollowUp;
beforeEach(async () => {
  session = await openReplaySession();
  const { client, emit, clock } = session;
  const dialect = paperclip202609;
  steer = createSteerFollowUp({
    client,
    dialect,
    task: 't01',
    nonce: 'ab',
    issueId: 'i1',
    body: 'STEER-ab',
    emit,
    clock,
  });
});
afterEach(() => session.close());

test('it is sent once, recorded, and no longer due', async () => {
  session.plane.answer(call, singleAnswer('commentCreated'));
  session.clock.move(70);
  await steer.tend(look);
  await steer.tend(look);
  expect(session.plane.received).toHaveLength(1);
  expect(session.events).toMatchObject([{ kind: 'follow_up_sent', what: 'steer', httpStatus: 201, error: null }]);
  expect([steer.acceptedAtMs(), steer.due(look)]).toEqual([70, false]);
});

test('an attempt without an answer is repeated with the same request id', async () => {
  session.plane.answer(call, 'hang', { status: 503, body: {} }, singleAnswer('commentCreated'));
  for (let attempt = 0; attempt < 4; attempt += 1) await steer.tend(look);
  const ids = session.plane.received.map(({ body }) => (body as { clientRequestId: string }).clientRequestId);
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(session.events).toMatchObject([
    { commentId: null, httpStatus: null, error: expect.any(String) },
    { commentId: null, httpStatus: 503, error: expect.any(String) },
    { commentId: expect.any(String), httpStatus: 201, error: null },
  ]);
});

test('it is not sent before it is due', async () => {
  await steer.tend({ ...look, activeRunIds: new Set() });
  expect([session.plane.received, session.events, steer.acceptedAtMs()]).toEqual([[], [], null]);
});
