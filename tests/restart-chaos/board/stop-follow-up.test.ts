import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openReplaySession, type ReplaySession } from '../../fixtures/board/replay-plane-session.ts';
import { singleAnswer } from '../../fixtures/board/replay-plane.ts';
import { viewLike } from '../../fixtures/board/views.ts';
import { numbersFor } from '../model/numbers.ts';
import { paperclip202609 } from './dialects/paperclip-2026-09.ts';
import { createStopFollowUp, type StopFollowUp, type StopLook } from './stop-follow-up.ts';

const cancel = 'POST /api/heartbeat-runs/r1/cancel';
const comment = 'POST /api/issues/i1/comments';
const active = new Set(['r1']);
const withRun = (status: string, faultInProgress = false): StopLook => ({
  view: viewLike({}, [{ id: 'r1', status }]),
  activeRunIds: active,
  faultInProgress,
});
const working = withRun('running');
const still = withRun('cancelled');

let session: ReplaySession;
let board: StopFollowUp;
let answers: (number | null)[];
beforeEach(async () => {
  session = await openReplaySession();
  const { client, emit, clock } = session;
  answers = [];
  board = createStopFollowUp({
    client,
    dialect: paperclip202609,
    task: 't01',
    nonce: 'ab',
    issueId: 'i1',
    body: 'CONTINUE-ab',
    emit,
    clock,
    numbers: numbersFor(1),
    onStop: (acceptedAtMs) => answers.push(acceptedAtMs),
  });
});
afterEach(() => session.close());

const calls = (): readonly string[] => session.plane.received.map(({ call }) => call);

async function stopAt(ms: number): Promise<void> {
  session.plane.answer(cancel, { status: 200, body: { id: 'r1', status: 'cancelled' } });
  session.plane.answer(comment, singleAnswer('commentCreated'));
  session.clock.move(ms);
  await board.tend(working);
}

describe('Stop', () => {
  test('is pressed once on the run at work, recorded, and told', async () => {
    await stopAt(500);
    await board.tend(working);
    expect(calls()).toEqual([cancel]);
    expect(session.events).toMatchObject([
      { kind: 'stop', runId: 'r1', askedAtMs: 500, accepted: true, httpStatus: 200, error: null },
    ]);
    expect(answers).toEqual([500]);
    expect([board.isStopped(), board.due(working), board.acceptedAtMs()]).toEqual([true, true, 500]);
  });

  test.each<[string, StopLook]>([
    ['nothing runs', withRun('queued')],
    ['a fault is in progress', withRun('running', true)],
    ['the run has shown no activity', { ...working, activeRunIds: new Set() }],
    ['nothing could be read', { ...working, view: null }],
  ])('is not pressed while %s', async (_, look) => {
    await board.tend(look);
    expect([calls(), board.isStopped()]).toEqual([[], false]);
  });

  test('that is refused, or gets no answer, is recorded as that and not pressed again', async () => {
    session.plane.answer(cancel, 'hang');
    await board.tend(working);
    await board.tend(working);
    expect(calls()).toEqual([cancel]);
    expect(session.events).toMatchObject([
      { kind: 'stop', accepted: null, httpStatus: null, error: expect.any(String) },
    ]);
    expect([answers, board.acceptedAtMs(), board.isStopped()]).toEqual([[null], null, true]);
  });

  test('that is refused is not accepted', async () => {
    session.plane.answer(cancel, { status: 409, body: { error: 'over' } });
    await board.tend(working);
    expect(session.events).toMatchObject([{ accepted: false, httpStatus: 409 }]);
    expect(answers).toEqual([null]);
  });
});

describe('the comment that asks to continue', () => {
  test('comes 20 s after Stop at the earliest', async () => {
    await stopAt(0);
    session.clock.move(19_999);
    await board.tend(still);
    expect(calls()).toEqual([cancel]);
    session.clock.move(1);
    await board.tend(still);
    expect(calls()).toEqual([cancel, comment]);
    expect(session.events.at(-1)).toMatchObject({ kind: 'follow_up_sent', what: 'continue', httpStatus: 201 });
    expect([board.isStopped(), board.due(still), board.acceptedAtMs()]).toEqual([false, false, 20_000]);
  });

  test.each([
    ['a run is queued', withRun('queued')],
    ['a run is running', withRun('running')],
    ['a fault is in progress', withRun('cancelled', true)],
  ])('waits while %s, until 35 s after Stop', async (_, look) => {
    await stopAt(0);
    for (let second = 1; second < 35; second += 1) {
      session.clock.move(1_000);
      await board.tend(look);
    }
    expect([calls(), board.due(look)]).toEqual([[cancel], true]);
    session.clock.move(1_000);
    await board.tend(still);
    await board.tend(still);
    expect(calls()).toEqual([cancel, comment]);
  });

  test('is sent again with the same request id when there was no answer', async () => {
    await stopAt(0);
    session.plane.answer(comment, { status: 503, body: {} }, singleAnswer('commentCreated'));
    session.clock.move(20_000);
    await board.tend(still);
    expect([board.isStopped(), board.due(still)]).toEqual([true, true]);
    await board.tend(still);
    await board.tend(still);
    const ids = session.plane.received
      .slice(1)
      .map(({ body }) => (body as { clientRequestId: string }).clientRequestId);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });
});
