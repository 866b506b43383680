import { afterEach, beforeEach, expect, test } from 'vitest';
import { openReplaySession, type ReplaySession } from '../../fixtures/board/replay-plane-session.ts';
import { readRecording } from '../../fixtures/board/replay-plane.ts';
import { paperclip202609 } from './dialects/paperclip-2026-09.ts';
import { createTaskObserver, type TaskObserver } from './observer.ts';

const recording = readRecording('comment-queued');
const issueCall = `GET /api/issues/${recording.issueId}`;
let session: ReplaySession;
let observer: TaskObserver;
beforeEach(async () => {
  session = await openReplaySession();
  session.plane.load(recording);
  const { client, clock, emit } = session;
  observer = createTaskObserver({
    client,
    dialect: paperclip202609,
    task: 't01',
    issueId: recording.issueId,
    emit,
    clock,
  });
});
afterEach(() => session.close());

const kinds = (): string[] => session.events.splice(0).map(({ kind }) => kind);

test('the first look records the poll and everything there is, the next only its poll', async () => {
  const view = await observer.look();
  expect(view?.issue.status).toBe('in_progress');
  expect(kinds()).toEqual(['poll', 'issue_seen', 'run_seen', 'comment_seen', 'comment_seen', 'comment_seen']);
  await observer.look();
  expect(session.events).toMatchObject([{ kind: 'poll', task: 't01', outcome: 'ok', detail: null }]);
});

test('a change is recorded once', async () => {
  await observer.look();
  const issue = recording.answers[issueCall]?.body as Record<string, unknown>;
  session.plane.answer(issueCall, { status: 200, body: { ...issue, status: 'done' } });
  kinds();
  await observer.look();
  await observer.look();
  expect(kinds()).toEqual(['poll', 'issue_seen', 'poll']);
});

test.each([
  ['hang', 'timeout'],
  ['reset', 'reset'],
] as const)(
  'a plane whose issue ends in %s gives null and a poll that says %s, and what was read is kept',
  async (how, outcome) => {
    session.plane.answer(issueCall, how);
    expect(await observer.look()).toBeNull();
    expect(session.events[0]).toMatchObject({ kind: 'poll', outcome });
    expect(session.events.map(({ kind }) => kind)).toContain('run_seen');
  },
);

test('a plane that is gone is refused, and the observer goes on', async () => {
  await session.plane.close();
  expect(await observer.look()).toBeNull();
  expect(session.events).toMatchObject([
    { kind: 'poll', outcome: 'refused', detail: expect.stringContaining(issueCall) },
  ]);
});
