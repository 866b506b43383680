import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openReplaySession, type ReplaySession } from '../../../fixtures/board/replay-plane-session.ts';
import { type RecordedAnswer, readRecording, singleAnswer } from '../../../fixtures/board/replay-plane.ts';
import { viewLike } from '../../../fixtures/board/views.ts';
import type { RunView } from '../../model/view.ts';
import { nothingRead } from '../dialect.ts';
import { paperclip202609 } from './paperclip-2026-09.ts';
import { readTask } from './paperclip-2026-09-read.ts';
import { clickRetry, retryOffer } from './paperclip-2026-09-retry.ts';

const blockerOf = (runId: string | null) => ({ cause: 'x', runId, recoveryActionId: null, nextAction: null });
const statuses = [
  'queued',
  'scheduled_retry',
  'running',
  'succeeded',
  'failed',
  'cancelled',
  'timed_out',
  'interrupted',
];

describe('the truth table of the button', () => {
  for (const status of statuses) {
    const failed = status === 'failed' || status === 'timed_out';
    for (const phase of ['failed', 'recovery_needed']) {
      for (const successorRunId of [null, 'r2']) {
        for (const blocked of ['this run', 'another run', 'no run', 'not']) {
          const banner = failed && blocked === 'this run';
          const page = failed && phase !== 'recovery_needed' && successorRunId === null;
          const expected = banner ? 'banner' : page ? 'run' : null;
          const named = { 'this run': 'r1', 'another run': 'r9', 'no run': null, not: undefined }[blocked];
          test(`${status}, phase ${phase}, successor ${successorRunId}, blocked by ${blocked} – ${expected}`, () => {
            const run: Partial<RunView> = { id: 'r1', status, phase, successorRunId };
            const view = viewLike({ executionBlocker: named === undefined ? null : blockerOf(named) }, [run]);
            expect(retryOffer(view)?.place ?? null).toBe(expected);
          });
        }
      }
    }
  }

  test('the banner is preferred to a newer run page', () => {
    const runs = [
      { id: 'r1', status: 'failed', phase: 'recovery_needed' },
      { id: 'r2', status: 'failed', phase: 'failed' },
    ];
    expect(retryOffer(viewLike({ executionBlocker: blockerOf('r1') }, runs))).toEqual({ place: 'banner', runId: 'r1' });
  });

  test('of several run pages the newest is taken', () => {
    const runs = ['r1', 'r2', 'r3'].map((id) => ({ id, status: 'failed', phase: 'failed' }));
    expect(retryOffer(viewLike({}, runs))).toEqual({ place: 'run', runId: 'r3' });
  });
});

let session: ReplaySession;
beforeEach(async () => {
  session = await openReplaySession();
});
afterEach(() => session.close());

test.each([
  ['done', null],
  ['failed-just-now', 'banner'],
  ['held', 'banner'],
  ['retry-scheduled', 'run'],
  ['retries-exhausted', 'run'],
  ['cancelled-process', null],
  ['cancelled-conversation', null],
  ['comment-queued', null],
])('recorded situation %s – %s', async (name, place) => {
  const recording = readRecording(name);
  session.plane.load(recording);
  const { issue, runs, comments, documents } = await readTask(session.client, recording.issueId, nothingRead);
  if (!issue || !runs || !comments || !documents) throw new Error('the recording could not be read');
  expect(retryOffer({ issue, runs, comments, documents })?.place ?? null).toBe(place);
});

const click = { issueId: 'i1', agentId: 'a1', offer: { place: 'run', runId: 'r1' } } as const;
const wakeup = 'POST /api/agents/a1/wakeup';

test('a click sends what the button sends', async () => {
  session.plane.answer(wakeup, singleAnswer('retryAccepted'));
  const { answer, error } = await clickRetry(session.client, click);
  expect(session.plane.received).toEqual([
    {
      call: wakeup,
      body: { source: 'on_demand', triggerDetail: 'manual', reason: 'retry_failed_run', failedRunId: 'r1' },
    },
  ]);
  expect({ error, accepted: answer?.accepted, status: answer?.httpStatus }).toEqual({
    error: null,
    accepted: true,
    status: 202,
  });
  expect(answer?.runId).toMatch(/^[0-9a-f-]{36}$/);
});

const refusals: readonly (readonly [string, RecordedAnswer, number, string])[] = [
  ['a 202 that was skipped', singleAnswer('retrySkipped'), 202, 'execution_reconciliation_required'],
  ['a 409', singleAnswer('retryConflict'), 409, 'Only a failed run can be retried.'],
  ['a 500 without a body', { status: 500, text: '' }, 500, ''],
  ['a 202 with nothing known in it', { status: 202, body: { odd: 1 } }, 202, '{"odd":1}'],
  ['a 200 with HTML', { status: 200, text: '<html>' }, 200, '<html>'],
];
test.each(refusals)('%s is a refusal', async (_title, scripted, httpStatus, reason) => {
  session.plane.answer(wakeup, scripted);
  const { answer } = await clickRetry(session.client, click);
  expect(answer).toEqual({ accepted: false, httpStatus, runId: null, reason });
});

test.each(['hang', 'reset'] as const)('a click that ends in %s has no answer', async (how) => {
  session.plane.answer(wakeup, how);
  const { answer, error } = await clickRetry(session.client, click);
  expect(answer).toBeNull();
  expect(error).toContain(wakeup);
});

test('a comment carries its request id and is accepted by its id', async () => {
  session.plane.answer('POST /api/issues/i1/comments', singleAnswer('commentCreated'), { status: 503, body: {} });
  const request = { issueId: 'i1', body: 'STEER-1', clientRequestId: 'u1' };
  expect(await paperclip202609.comment(session.client, request)).toMatchObject({ httpStatus: 201, error: null });
  expect(session.plane.received[0]?.body).toEqual({ body: 'STEER-1', clientRequestId: 'u1' });
  expect(await paperclip202609.comment(session.client, request)).toMatchObject({ commentId: null, httpStatus: 503 });
});

test('the status is read alone, and a plane that is away gives its reason', async () => {
  session.plane.answer('GET /api/issues/i1', { status: 200, body: { status: 'done' } }, 'hang');
  expect(await paperclip202609.readStatus(session.client, 'i1')).toEqual({ status: 'done', error: null });
  expect(await paperclip202609.readStatus(session.client, 'i1')).toMatchObject({
    status: null,
    error: expect.any(String),
  });
});
