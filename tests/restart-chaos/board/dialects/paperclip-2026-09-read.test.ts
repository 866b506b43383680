import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openReplaySession, type ReplaySession } from '../../../fixtures/board/replay-plane-session.ts';
import { type Recording, readRecording } from '../../../fixtures/board/replay-plane.ts';
import { nothingRead, type TaskReading } from '../dialect.ts';
import { readTask } from './paperclip-2026-09-read.ts';

let session: ReplaySession;
beforeEach(async () => {
  session = await openReplaySession();
});
afterEach(() => session.close());

async function readRecorded(name: string): Promise<TaskReading> {
  const recording = readRecording(name);
  session.plane.load(recording);
  return readTask(session.client, recording.issueId, nothingRead);
}

function issueCall(recording: Recording, part = ''): string {
  return `GET /api/issues/${recording.issueId}${part}`;
}

describe('recorded situations become views', () => {
  test('done: status, one succeeded run with a released lease, the document with its body, no lock', async () => {
    const reading = await readRecorded('done');
    expect(reading).toMatchObject({ outcome: 'ok', detail: null });
    expect(reading.issue).toMatchObject({ status: 'done', checkoutRunId: null, executionRunId: null, blockedBy: [] });
    expect(reading.issue?.workspaceCwd).toMatch(/^\/recorded\/sandbox\/wt\//);
    expect(reading.runs).toMatchObject([
      {
        status: 'succeeded',
        stopReason: 'completed',
        phase: 'completed',
        leaseStatus: 'released',
        wakeReason: 'issue_assigned',
      },
    ]);
    expect(reading.documents).toMatchObject([{ key: 'brief', revision: 1, body: 'line one\nCHAOS-1' }]);
    expect(reading.comments?.map(({ authorType }) => authorType)).toEqual(['system', 'agent']);
  });

  test('failed just now: still in progress, the recovery action is the board’s', async () => {
    const { issue, runs } = await readRecorded('failed-just-now');
    expect(issue).toMatchObject({
      status: 'in_progress',
      activeRecoveryAction: { status: 'active', ownerType: 'board' },
    });
    expect(runs).toMatchObject([{ status: 'failed', errorCode: 'adapter_failed', phase: 'recovery_needed' }]);
  });

  test('held: blocked, with a blocker that names the run and no active recovery action', async () => {
    const { issue, runs } = await readRecorded('held');
    expect(issue).toMatchObject({ status: 'blocked', activeRecoveryAction: null });
    expect(issue?.executionBlocker).toMatchObject({
      cause: 'legacy_execution_requires_reconciliation',
      runId: runs?.[0]?.id,
    });
  });

  test('retry scheduled: the due time is on the issue and on the run, and runs come oldest first', async () => {
    const { issue, runs } = await readRecorded('retry-scheduled');
    expect(runs?.map(({ status }) => status)).toEqual(['failed', 'scheduled_retry']);
    expect(issue?.scheduledRetry).toEqual({ runId: runs?.[1]?.id, dueAt: runs?.[1]?.scheduledRetryAt });
    expect(runs?.[1]?.retryOfRunId).toBe(runs?.[0]?.id);
  });

  test('comment served: the second run was given the board’s comment', async () => {
    const { runs, comments } = await readRecorded('comment-served');
    const board = comments?.find(({ authorType }) => authorType === 'user');
    expect(runs?.map((run) => run.wakeCommentIds)).toEqual([[], [board?.id]]);
    expect(runs?.map((run) => run.wakeReason)).toEqual(['issue_assigned', 'issue_commented']);
    expect(runs?.[0]?.outputSeq).toBe(47);
  });

  test.each([
    'cancelled-process',
    'cancelled-conversation',
    'comment-queued',
    'retry-running',
    'retries-exhausted',
    'after-retry-click',
  ])('%s is read whole', async (name) => {
    const reading = await readRecorded(name);
    expect(reading).toMatchObject({ outcome: 'ok', detail: null });
    expect(JSON.stringify(reading.runs)).not.toContain('undefined');
  });
});

describe('a look asks no more than it must', () => {
  test('a task that stands still costs three requests after the first look', async () => {
    const recording = readRecording('done');
    const { memory } = await readRecorded('done');
    const before = session.plane.received.length;
    const again = await readTask(session.client, recording.issueId, memory);
    expect(
      session.plane.received
        .slice(before)
        .map(({ call }) => call)
        .sort(),
    ).toEqual(
      [issueCall(recording), issueCall(recording, '/comments?order=asc'), issueCall(recording, '/runs')].sort(),
    );
    expect(again.documents).toMatchObject([{ key: 'brief' }]);
    expect(again.runs?.[0]?.outputSeq).toBe(6);
  });

  test('a running run is asked for its details in every look, and once more after its end', async () => {
    const recording = readRecording('comment-queued');
    const detail = Object.keys(recording.answers).find((call) => call.includes('heartbeat-runs')) ?? '';
    let { memory } = await readRecorded('comment-queued');
    memory = (await readTask(session.client, recording.issueId, memory)).memory;
    const count = (): number => session.plane.received.filter(({ call }) => call === detail).length;
    expect(count()).toBe(2);
    const last = recording.answers[detail]?.body as Record<string, unknown>;
    session.plane.answer(detail, { status: 200, body: { ...last, status: 'succeeded', lastOutputSeq: 99 } });
    for (let look = 0; look < 3; look += 1) memory = (await readTask(session.client, recording.issueId, memory)).memory;
    expect(count()).toBe(3);
    expect([...memory.runDetails.values()][0]?.outputSeq).toBe(99);
  });
});

describe('what cannot be read is said, and the rest is still there', () => {
  test('an answer of another shape is unexpected_shape and names what was missing', async () => {
    const recording = readRecording('held');
    session.plane.load(recording);
    const body = { ...(recording.answers[issueCall(recording)]?.body as Record<string, unknown>) };
    delete body['executionBlocker'];
    session.plane.answer(issueCall(recording), { status: 200, body });
    const reading = await readTask(session.client, recording.issueId, nothingRead);
    expect(reading).toMatchObject({ outcome: 'unexpected_shape', issue: null, documents: null });
    expect(reading.detail).toMatch(/issue\.executionBlocker/);
    expect(reading.runs).toHaveLength(1);
  });

  test.each([null, [], 'text', { runs: [] }])('runs that are %j do not crash the look', async (body) => {
    const recording = readRecording('held');
    session.plane.load(recording);
    session.plane.answer(issueCall(recording, '/runs'), { status: 200, body });
    const reading = await readTask(session.client, recording.issueId, nothingRead);
    expect(reading.outcome).toBe(Array.isArray(body) ? 'ok' : 'unexpected_shape');
    expect(reading.issue?.status).toBe('blocked');
  });

  test('a failed read of one run takes the runs with it and leaves the issue', async () => {
    const recording = readRecording('comment-queued');
    session.plane.load(recording);
    const detail = Object.keys(recording.answers).find((call) => call.includes('heartbeat-runs')) ?? '';
    session.plane.answer(detail, { status: 500, body: { error: 'boom' } });
    const reading = await readTask(session.client, recording.issueId, nothingRead);
    expect(reading).toMatchObject({ outcome: 'http_error', runs: null, issue: { status: 'in_progress' } });
    expect(reading.detail).toContain('boom');
  });

  test('runs of another issue that touched this one are left out', async () => {
    const recording = readRecording('held');
    session.plane.load(recording);
    const runs = recording.answers[issueCall(recording, '/runs')]?.body as Record<string, unknown>[];
    const foreign = { ...runs[0], runId: 'foreign', contextIssueId: 'other' };
    session.plane.answer(issueCall(recording, '/runs'), { status: 200, body: [foreign, ...runs] });
    const reading = await readTask(session.client, recording.issueId, nothingRead);
    expect(reading.runs?.map(({ id }) => id)).not.toContain('foreign');
  });

  test('an issue that is not there is an http_error', async () => {
    const reading = await readTask(session.client, 'nobody', nothingRead);
    expect(reading).toMatchObject({ outcome: 'http_error', issue: null, runs: null, comments: null, documents: null });
  });
});
