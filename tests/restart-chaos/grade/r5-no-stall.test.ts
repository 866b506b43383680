import { expect, test } from 'vitest';
import type { TaskFacts } from '../model/facts.ts';
import type { TaskTruth } from '../model/truth.ts';
import type { IssueView, RunView } from '../model/view.ts';
import * as given from './facts.testing.ts';
import { r5NoStall } from './r5-no-stall.ts';
import { expectedOf, outcomeOf, titled, type RuleRow } from './rule-table.testing.ts';
import { became, runLife, tapeOf } from './tape.testing.ts';

const { at, issueAt, restAt, runAt, wallAt } = given;
const limitMs = 600_000;
/** The clock of the usual task starts when the plane is ready again. */
const tooLong = given.readyMs + limitMs + 5_000;

/** A task that works, is crossed, and then shows only what is given until `endMs`. */
function quiet(endMs: number, moments: readonly given.Moment[] = [], changes: Partial<TaskFacts> = {}): TaskFacts {
  const end = restAt(endMs, { status: 'in_progress', reason: 'deadline' });
  return given.goodFacts({ timeline: given.life([...given.beginning, end, ...moments], endMs), ...changes });
}

function issueWith(changes: Partial<IssueView>): given.Moment {
  return issueAt(30_000, 'in_progress', changes);
}

function runWith(changes: Partial<RunView>): given.Moment {
  return runAt(30_000, { id: 'run-b', ...changes });
}

const comment = { id: 'c9', authorType: 'user', createdByRunId: null, body: 'steer', createdAt: wallAt(0) };
const middleMs = 300_000;
const between = { queuedMs: middleMs, runningMs: middleMs + 100, endedMs: middleMs + 500 };
const queuedBetween = became(middleMs, 'heartbeat_runs', { id: 'run-b', status: 'queued' });
const outage = given.crash({
  ref: 'f02',
  kind: 'K4',
  startedAtMs: middleMs,
  struckAtMs: middleMs,
  readyAtMs: 560_000,
  endedAtMs: 560_000,
});
const due = (dueMs: number): string => wallAt(dueMs);
const touched = Array.from({ length: 12 }, (_, index) =>
  issueAt(30_000 + index * 50_000, 'in_progress', { updatedAt: wallAt(index), checkoutRunId: `r${index}` }),
);

const rows: readonly RuleRow[] = [
  { situation: 'went on after the fault', facts: given.goodFacts(), verdict: 'pass' },
  { situation: 'nothing for longer than the limit', facts: quiet(tooLong), verdict: 'fail', codes: ['stalled'] },
  { situation: 'nothing for as long as the limit', facts: quiet(given.readyMs + limitMs), verdict: 'pass' },
  {
    situation: 'one change of the issue in the middle',
    facts: quiet(tooLong, [issueAt(middleMs, 'todo')]),
    verdict: 'pass',
  },
  {
    situation: 'only timestamps and locks moved',
    facts: quiet(tooLong + 60_000, touched),
    verdict: 'fail',
    codes: ['stalled'],
  },
  {
    situation: 'one comment in the middle',
    facts: quiet(tooLong, [at(middleMs, { kind: 'comment_seen', task: 't01', comment })]),
    verdict: 'pass',
  },
  {
    situation: 'one document in the middle',
    facts: quiet(tooLong, [
      at(middleMs, {
        kind: 'document_seen',
        task: 't01',
        document: { key: 'brief', revision: 1, body: '', updatedAt: wallAt(0) },
      }),
    ]),
    verdict: 'pass',
  },
  {
    situation: 'output grew in the middle',
    facts: quiet(tooLong, [runAt(middleMs, { outputSeq: 4 })]),
    verdict: 'pass',
  },
  {
    situation: 'a run was seen again without more output',
    facts: quiet(tooLong, [runAt(middleMs, { outputSeq: 3, leaseStatus: 'active' })]),
    verdict: 'fail',
    codes: ['stalled'],
  },
  {
    situation: 'a run changed state in the middle',
    facts: quiet(tooLong, [runAt(middleMs, { status: 'failed', outputSeq: 3 })]),
    verdict: 'pass',
  },
  {
    situation: 'a run was queued in the middle and never started',
    facts: quiet(tooLong, [runAt(middleMs, { id: 'run-b', status: 'queued' })]),
    verdict: 'fail',
    codes: ['stalled'],
  },
  {
    situation: 'the tape shows a run that began and failed between two looks',
    facts: quiet(tooLong, [], { tape: tapeOf(...runLife('run-b', between, 'failed')) }),
    verdict: 'pass',
  },
  {
    situation: 'the tape shows a run that was queued between two looks',
    facts: quiet(tooLong, [], { tape: tapeOf(queuedBetween) }),
    verdict: 'fail',
    codes: ['stalled'],
  },
  {
    situation: 'the board commented in the middle',
    facts: quiet(tooLong, [
      at(middleMs, {
        kind: 'follow_up_sent',
        task: 't01',
        what: 'steer',
        commentId: 'c9',
        httpStatus: 201,
        error: null,
      }),
    ]),
    verdict: 'pass',
  },
  {
    situation: 'our second fault held the plane down in between',
    facts: quiet(tooLong, [], { faults: [given.crash(), outage] }),
    verdict: 'pass',
  },
  {
    situation: 'nothing for longer than the limit after the second fault',
    facts: quiet(560_000 + limitMs + 5_000, [], { faults: [given.crash(), outage] }),
    verdict: 'fail',
    codes: ['stalled'],
  },
  {
    situation: 'waits for a retry that is due later',
    facts: quiet(tooLong, [runWith({ status: 'scheduled_retry', scheduledRetryAt: due(tooLong + 1_000) })]),
    verdict: 'pass',
  },
  {
    situation: 'waits for a retry without a due time',
    facts: quiet(tooLong, [runWith({ status: 'scheduled_retry' })]),
    verdict: 'fail',
    codes: ['stalled'],
  },
  {
    situation: 'the retry was due, and nothing came for longer than the limit',
    facts: quiet(60_000 + limitMs + 5_000, [runWith({ status: 'scheduled_retry', scheduledRetryAt: due(60_000) })]),
    verdict: 'fail',
    codes: ['stalled'],
  },
  {
    situation: 'the retry was due, and the limit is not over since',
    facts: quiet(60_000 + limitMs - 5_000, [runWith({ status: 'scheduled_retry', scheduledRetryAt: due(60_000) })]),
    verdict: 'pass',
  },
  {
    situation: 'the issue names a retry that is due later',
    facts: quiet(tooLong, [issueWith({ scheduledRetry: { runId: null, dueAt: due(tooLong) } })]),
    verdict: 'pass',
  },
  {
    situation: 'blocked by an issue that somebody works on',
    facts: quiet(tooLong + 9_000, [issueWith({ blockedBy: [{ id: 'i2', status: 'in_progress' }] })]),
    verdict: 'pass',
  },
  {
    situation: 'blocked by an issue that is blocked itself',
    facts: quiet(tooLong + 9_000, [issueWith({ blockedBy: [{ id: 'i2', status: 'blocked' }] })]),
    verdict: 'fail',
    codes: ['stalled'],
  },
  {
    situation: 'done long ago, while something of it still moves',
    facts: quiet(tooLong + 9_000, [issueAt(30_000, 'done')]),
    verdict: 'pass',
  },
  { situation: 'nobody looked for most of the time', facts: blind(), verdict: 'pass' },
  {
    situation: 'the observer gave up, and began to count at a slow look before the fault ended',
    facts: gaveUp(given.readyMs + limitMs - 4_700, given.readyMs - 4_900),
    verdict: 'fail',
    codes: ['stalled'],
  },
  {
    situation: 'the observer gave up, and something moved within what it counted',
    facts: gaveUp(given.readyMs + limitMs - 4_700, given.readyMs - 4_900, [issueAt(middleMs, 'todo')]),
    verdict: 'unknown',
  },
  {
    situation: 'the observer gave up, and began to count long before the fault ended',
    facts: gaveUp(given.readyMs + limitMs - 10_000, given.readyMs - 10_000),
    verdict: 'unknown',
  },
  {
    situation: 'the observer gave up before the limit',
    facts: gaveUp(200_000, given.readyMs),
    verdict: 'unknown',
  },
  { situation: 'the issue was never created', facts: given.goodFacts({ timeline: [] }), verdict: 'unknown' },
];

function gaveUp(endMs: number, sinceMs: number, moments: readonly given.Moment[] = []): TaskFacts {
  const rest = restAt(endMs, { status: 'in_progress', reason: 'stalled', sinceMs });
  return given.goodFacts({ timeline: given.life([...given.beginning, rest, ...moments], endMs) });
}

/** A stall may only be claimed of time that was watched; the assumptions make such a task unknown. */
function blind(): TaskFacts {
  return given.goodFacts({
    timeline: given.life([...given.beginning, restAt(tooLong, { reason: 'deadline' })], 60_000),
  });
}

test.each(titled(rows))('%s', (_title, row) => {
  expect(outcomeOf(r5NoStall(row.facts))).toEqual(expectedOf(row));
});

function atRest(changes: Partial<TaskTruth>): Partial<TaskFacts> {
  return { truth: { before: null, after: null, rest: given.truth(changes) } };
}

test.each([
  [
    'a deferred wake',
    quiet(tooLong, [], atRest({ wakes: [given.truthWake()] })),
    'wake wake-9 (issue_commented) exists but is deferred',
  ],
  ['a queued run', quiet(tooLong, [runWith({ status: 'queued' })]), 'run run-b is queued and was not started'],
  ['a silent run', quiet(tooLong), 'run run-a is running without output'],
  [
    'an execution blocker',
    quiet(tooLong + 9_000, [
      issueWith({
        executionBlocker: { cause: 'execution_owner_active', runId: null, recoveryActionId: null, nextAction: null },
      }),
    ]),
    'execution is blocked: execution_owner_active',
  ],
])('a stall names %s as the reason seen, and keeps it out of the code', (_what, facts, reason) => {
  const finding = r5NoStall(facts).findings[0];
  expect(finding?.code).toBe('stalled');
  expect(finding?.seen).toContain(reason);
});
