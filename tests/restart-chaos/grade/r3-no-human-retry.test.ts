import { expect, test } from 'vitest';
import type { Rest } from '../model/event.ts';
import type { TaskFacts } from '../model/facts.ts';
import type { RetryAnswer, RunView } from '../model/view.ts';
import * as given from './facts.testing.ts';
import { r3NoHumanRetry } from './r3-no-human-retry.ts';
import { expectedOf, outcomeOf, titled, type RuleRow } from './rule-table.testing.ts';

const { at, beaconAt, restAt, runAt, truth, truthRun } = given;
const offer = { place: 'run', runId: 'run-a' } as const;
const offered = at(40_000, { kind: 'retry_offered', task: 't01', offer });
const accepted: RetryAnswer = { accepted: true, httpStatus: 202, runId: 'run-b', reason: null };
const refused: RetryAnswer = {
  accepted: false,
  httpStatus: 202,
  runId: null,
  reason: 'execution_reconciliation_required',
};

function clicked(answer: RetryAnswer | null): given.Moment {
  return at(40_500, { kind: 'retry_clicked', task: 't01', offer, answer, error: answer === null ? 'timeout' : null });
}

function working(atMs: number, runId = 'run-b'): given.Moment {
  return beaconAt(atMs, 'step', { runId, process: { pid: 202, startTime: '2002' } });
}

/** Run A failed after the fault; what follows differs. */
function failedThen(rest: Partial<Rest>, moments: readonly given.Moment[] = [], restAtMs = 180_000): TaskFacts {
  const failed = runAt(30_000, { status: 'failed', finishedAt: given.wallAt(29_000) });
  const moreThan = [...given.beginning, failed, restAt(restAtMs, rest), ...moments];
  return given.goodFacts({
    timeline: given.life(moreThan, restAtMs),
    truth: { before: null, after: null, rest: truth({ runs: [truthRun({ status: 'failed' })] }) },
  });
}

function uncrossed(facts: TaskFacts): TaskFacts {
  return { ...facts, faults: [], plan: given.taskPlan({ faults: [] }) };
}

function withRun(facts: TaskFacts, status: RunView['status']): TaskFacts {
  return { ...facts, truth: { ...facts.truth, rest: truth({ runs: [truthRun({ status })] }) } };
}

const blocked = { status: 'blocked' } as const;
const late = { reason: 'deadline', status: 'in_progress' } as const;
const longOutage = given.crash({
  ref: 'f02',
  startedAtMs: 45_000,
  struckAtMs: 45_000,
  readyAtMs: 145_000,
  endedAtMs: 145_000,
});

const rows: readonly RuleRow[] = [
  { situation: 'went on by itself and is done', facts: given.goodFacts(), verdict: 'pass' },
  { situation: 'a run failed, the next one finished without the board', facts: failedThen({}), verdict: 'pass' },
  {
    situation: 'rests blocked and Retry was never offered',
    facts: failedThen(blocked),
    verdict: 'fail',
    codes: ['no_retry_offered'],
  },
  {
    situation: 'stands still in progress and Retry was never offered',
    facts: failedThen({ reason: 'stalled', status: 'in_progress' }),
    verdict: 'fail',
    codes: ['no_retry_offered'],
  },
  {
    situation: 'Retry was clicked and refused with a 202',
    facts: failedThen(blocked, [offered, clicked(refused)]),
    verdict: 'fail',
    codes: ['retry_refused'],
  },
  {
    situation: 'Retry was accepted and nothing followed',
    facts: failedThen(blocked, [offered, clicked(accepted)]),
    verdict: 'fail',
    codes: ['retry_dead'],
  },
  {
    situation: 'Retry was accepted and a row says running, without output',
    facts: failedThen(blocked, [offered, clicked(accepted), runAt(42_000, { id: 'run-b', outputSeq: 0 })]),
    verdict: 'fail',
    codes: ['retry_dead'],
  },
  {
    situation: 'Retry was accepted and a process only started',
    facts: failedThen(blocked, [offered, clicked(accepted), beaconAt(42_000, 'started', { runId: 'run-b' })]),
    verdict: 'fail',
    codes: ['retry_dead'],
  },
  {
    situation: 'Retry was accepted and only the old run showed output',
    facts: failedThen(blocked, [offered, clicked(accepted), working(42_000, 'run-a')]),
    verdict: 'fail',
    codes: ['retry_dead'],
  },
  {
    situation: 'Retry was accepted and output came after 61 s',
    facts: failedThen(blocked, [offered, clicked(accepted), working(101_600)]),
    verdict: 'fail',
    codes: ['retry_dead'],
  },
  {
    situation: 'Retry was accepted and output came within 60 s',
    facts: failedThen({}, [offered, clicked(accepted), working(100_400)]),
    verdict: 'fail',
    codes: ['retry_needed'],
  },
  {
    situation: 'Retry was accepted and the plane shows the output of its run',
    facts: failedThen({}, [offered, clicked(accepted), runAt(44_000, { id: 'run-b', outputSeq: 2 })]),
    verdict: 'fail',
    codes: ['retry_needed'],
  },
  {
    situation: 'Retry was accepted and the run it led to has another id',
    facts: failedThen({}, [offered, clicked({ ...accepted, runId: null }), working(44_000, 'run-c')]),
    verdict: 'fail',
    codes: ['retry_needed'],
  },
  {
    situation: 'Retry was accepted and a second fault held the plane down meanwhile',
    facts: { ...failedThen({}, [offered, clicked(accepted), working(160_000)]), faults: [given.crash(), longOutage] },
    verdict: 'fail',
    codes: ['retry_needed'],
  },
  {
    situation: 'Retry was accepted and the watch ended before its time',
    facts: failedThen(blocked, [offered, clicked(accepted)], 60_000),
    verdict: 'fail',
    codes: ['retry_needed'],
  },
  {
    situation: 'Retry got no answer and an agent worked after it',
    facts: failedThen({}, [offered, clicked(null), working(44_000)]),
    verdict: 'fail',
    codes: ['retry_needed'],
  },
  {
    situation: 'Retry got no answer and nothing followed',
    facts: failedThen(blocked, [offered, clicked(null)]),
    verdict: 'fail',
    codes: ['retry_needed'],
  },
  { situation: 'Retry was offered and nobody clicked', facts: failedThen(blocked, [offered]), verdict: 'unknown' },
  {
    situation: 'never crossed, its run failed, rests blocked without Retry',
    facts: uncrossed(failedThen(blocked)),
    verdict: 'fail',
    codes: ['no_retry_offered'],
  },
  {
    situation: 'never crossed, its run succeeded, rests blocked',
    facts: withRun(uncrossed(failedThen(blocked)), 'succeeded'),
    verdict: 'pass',
  },
  {
    situation: 'the deadline came while a run was at work',
    facts: withRun(failedThen(late), 'running'),
    verdict: 'unknown',
  },
  {
    situation: 'the deadline came and no run was left',
    facts: failedThen(late),
    verdict: 'fail',
    codes: ['no_retry_offered'],
  },
  {
    situation: 'rests with a row that says running for ever, and no Retry',
    facts: withRun(failedThen({ status: 'in_progress' }), 'running'),
    verdict: 'fail',
    codes: ['no_retry_offered'],
  },
  { situation: 'interrupted', facts: failedThen({ reason: 'interrupt', status: 'in_progress' }), verdict: 'unknown' },
  {
    situation: 'the plane was lost',
    facts: failedThen({ reason: 'plane_lost', status: 'in_progress' }),
    verdict: 'unknown',
  },
  {
    situation: 'blocked, and the runs could not be read',
    facts: { ...failedThen(blocked), runs: null, truth: { before: null, after: null, rest: null } },
    verdict: 'unknown',
  },
  { situation: 'the status at rest could not be read', facts: failedThen({ status: null }), verdict: 'unknown' },
  {
    situation: 'the wave died before rest',
    facts: given.goodFacts({ timeline: given.life(given.beginning) }),
    verdict: 'unknown',
  },
];

test.each(titled(rows))('%s', (_title, row) => {
  expect(outcomeOf(r3NoHumanRetry(row.facts, 'done'))).toEqual(expectedOf(row));
});
