import { afterEach, beforeEach, expect, test } from 'vitest';
import { openReplaySession, type ReplaySession } from '../../../fixtures/board/replay-plane-session.ts';
import type { RecordedAnswer } from '../../../fixtures/board/replay-plane.ts';
import { paperclip202611 } from './paperclip-2026-11.ts';

let session: ReplaySession;
beforeEach(async () => {
  session = await openReplaySession();
});
afterEach(() => session.close());

const click = { issueId: 'i1', agentId: 'a1', offer: { place: 'banner', runId: 'r1' } } as const;
const retry = 'POST /api/issues/i1/retry';

test('Retry is a call of the issue that names the run', async () => {
  session.plane.answer(retry, { status: 202, body: { id: 'r2', status: 'queued' } });
  const { answer, error } = await paperclip202611.retry(session.client, click);
  expect(session.plane.received).toEqual([{ call: retry, body: { runId: 'r1' } }]);
  expect({ answer, error }).toEqual({
    answer: { accepted: true, httpStatus: 202, runId: 'r2', reason: null },
    error: null,
  });
});

const refusals: readonly (readonly [string, RecordedAnswer, number, string])[] = [
  [
    'a 409',
    { status: 409, body: { error: 'Only a failed run can be retried.' } },
    409,
    'Only a failed run can be retried.',
  ],
  ['a 202 without a run', { status: 202, body: { odd: 1 } }, 202, '{"odd":1}'],
  ['a 500 without a body', { status: 500, text: '' }, 500, ''],
];
test.each(refusals)('%s is a refusal', async (_title, scripted, httpStatus, reason) => {
  session.plane.answer(retry, scripted);
  const { answer } = await paperclip202611.retry(session.client, click);
  expect(answer).toEqual({ accepted: false, httpStatus, runId: null, reason });
});

test.each(['hang', 'reset'] as const)('a click that ends in %s has no answer', async (how) => {
  session.plane.answer(retry, how);
  const { answer, error } = await paperclip202611.retry(session.client, click);
  expect(answer).toBeNull();
  expect(error).toContain(retry);
});
