import { expect, test } from 'vitest';
import type { TaskFacts } from '../model/facts.ts';
import type { TruthRun } from '../model/truth.ts';
import * as given from './facts.testing.ts';
import { r4Once } from './r4-once.ts';
import { expectedOf, outcomeOf, titled, type RuleRow } from './rule-table.testing.ts';

const { at, beaconAt, life, restAt, restMs, truth, truthRun, wallAt } = given;
const newProcess = { pid: 202, startTime: '2002' };

function run(id: string, fromMs: number, toMs: number | null, changes: Partial<TruthRun> = {}): TruthRun {
  const finishedAt = toMs === null ? null : wallAt(toMs);
  const status = toMs === null ? 'running' : 'succeeded';
  const wakeupRequestId = `wake of ${id}`;
  return truthRun({
    id,
    status,
    wakeupRequestId,
    createdAt: wallAt(fromMs - 300),
    startedAt: wallAt(fromMs),
    finishedAt,
    ...changes,
  });
}

/** Runs from the database, with agent processes 101 (run A) that lives to 30 s and 202 (run B) that starts as told. */
function facts(runs: readonly TruthRun[], moments: readonly given.Moment[] = []): TaskFacts {
  const timeline = life([given.createdAt(1_000), beaconAt(2_500, 'started'), restAt(restMs), ...moments]);
  return given.goodFacts({ timeline, truth: { before: null, after: null, rest: truth({ runs }) } });
}

function oldGoneAt(atMs: number): given.Moment {
  return at(atMs, { kind: 'process_gone', task: 't01', process: given.oldProcess, runId: 'run-a' });
}

function newFrom(atMs: number, runId = 'run-b'): given.Moment {
  return beaconAt(atMs, 'started', { runId, process: newProcess });
}

function killTreeAt(atMs: number): given.Moment {
  const proof = { observed: true, seen: 'tree', processes: [given.oldProcess] };
  const step = { step: 'signal', target: 'tree', signal: 'SIGKILL' } as const;
  return at(atMs, { kind: 'fault_step', ref: 'f01', index: 0, step, startedAtMs: atMs, endedAtMs: atMs, proof });
}

const served = (status: string): TaskFacts =>
  facts(
    [
      run('run-a', 2_000, 30_000, { wakeCommentIds: ['c1'], status }),
      run('run-b', 40_000, 50_000, { wakeCommentIds: ['c1'] }),
    ],
    [oldGoneAt(31_000)],
  );
/** Run B was created at `createdMs`; run A succeeded with the same comment at 30 s. */
const servedAgainFrom = (createdMs: number): TaskFacts =>
  facts(
    [
      run('run-a', 2_000, 30_000, { wakeCommentIds: ['c1'] }),
      run('run-b', 30_500, 50_000, { wakeCommentIds: ['c1'], createdAt: wallAt(createdMs) }),
    ],
    [oldGoneAt(30_200)],
  );
const sameWake = { wakeupRequestId: 'wake-1' };
const twoRuns = [run('run-a', 2_000, 30_000, { status: 'failed' }), run('run-b', 35_000, 60_000)];

const rows: readonly RuleRow[] = [
  { situation: 'one run', facts: given.goodFacts(), verdict: 'pass' },
  {
    situation: 'two runs one after the other',
    facts: facts(twoRuns, [oldGoneAt(31_000), newFrom(35_500)]),
    verdict: 'pass',
  },
  {
    situation: 'two runs active at a time for 5 s',
    facts: facts([run('run-a', 2_000, 30_000), run('run-b', 25_000, 60_000)], [oldGoneAt(26_000)]),
    verdict: 'fail',
    codes: ['overlap'],
  },
  {
    situation: 'two runs active at a time for half a poll',
    facts: facts([run('run-a', 2_000, 30_000), run('run-b', 29_500, 60_000)], [oldGoneAt(29_000)]),
    verdict: 'pass',
  },
  {
    situation: 'a run that is still running at rest and a later one',
    facts: facts([run('run-a', 2_000, null), run('run-b', 35_000, 60_000)], [oldGoneAt(31_000)]),
    verdict: 'fail',
    codes: ['overlap'],
  },
  {
    situation: 'a run that ended at an unknown time, whose row a clean-up wrote later, and a later run',
    facts: facts(
      [
        run('run-a', 2_000, null, { status: 'failed', updatedAt: wallAt(50_000) }),
        run('run-b', 35_000, 60_000, { status: 'succeeded' }),
      ],
      [oldGoneAt(31_000), newFrom(35_500)],
    ),
    verdict: 'pass',
  },
  {
    situation: 'a run that is queued beside an active one',
    facts: facts([run('run-a', 2_000, 60_000), run('run-b', 25_000, null, { status: 'queued', startedAt: null })]),
    verdict: 'pass',
  },
  {
    situation: 'runs of a parent and its subtask at a time',
    facts: facts([run('run-a', 2_000, 30_000), run('run-b', 3_000, 60_000, { issueId: 'issue-2' })], [newFrom(3_500)]),
    verdict: 'pass',
  },
  {
    situation: 'the old process lives on beside that of the next run',
    facts: facts(twoRuns, [newFrom(35_500)]),
    verdict: 'fail',
    codes: ['overlapping_processes'],
  },
  {
    situation: 'the old process was gone before the next run',
    facts: facts(twoRuns, [oldGoneAt(32_000), newFrom(35_500)]),
    verdict: 'pass',
  },
  {
    situation: 'the old process lives on while the next run has none yet',
    facts: facts(twoRuns),
    verdict: 'fail',
    codes: ['overlapping_processes'],
  },
  {
    situation: 'the old process was seen at work after it was noticed gone late',
    facts: facts(twoRuns, [newFrom(35_500), oldGoneAt(36_000)]),
    verdict: 'pass',
  },
  {
    situation: 'the old process told of itself while the new one lived',
    facts: facts(twoRuns, [newFrom(35_500), beaconAt(38_000, 'step'), oldGoneAt(39_000)]),
    verdict: 'fail',
    codes: ['overlapping_processes'],
  },
  {
    situation: 'the old process was killed with the tree of the server',
    facts: facts(twoRuns, [killTreeAt(20_000), newFrom(35_500)]),
    verdict: 'pass',
  },
  {
    situation: 'two processes of one run at a time',
    facts: facts([run('run-a', 2_000, 60_000)], [newFrom(20_000, 'run-a')]),
    verdict: 'fail',
    codes: ['overlapping_processes'],
  },
  {
    situation: 'a comment served again after a run that succeeded',
    facts: served('succeeded'),
    verdict: 'fail',
    codes: ['wake_served_twice'],
  },
  { situation: 'a comment served again after a run that failed', facts: served('failed'), verdict: 'pass' },
  {
    situation: 'a comment served again by a run created in the millisecond in which one had succeeded with it',
    facts: servedAgainFrom(30_000),
    verdict: 'fail',
    codes: ['wake_served_twice'],
  },
  {
    situation: 'a comment that both runs were given before one succeeded with it',
    facts: servedAgainFrom(29_999),
    verdict: 'pass',
  },
  {
    situation: 'a comment given to a later run that never started',
    facts: facts([
      run('run-a', 2_000, 30_000, { wakeCommentIds: ['c1'] }),
      run('run-b', 40_000, null, { wakeCommentIds: ['c1'], startedAt: null, status: 'cancelled' }),
    ]),
    verdict: 'pass',
  },
  {
    situation: 'two comments, each served by its own run',
    facts: facts(
      [
        run('run-a', 2_000, 30_000, { wakeCommentIds: ['c1'] }),
        run('run-b', 40_000, 50_000, { wakeCommentIds: ['c2'] }),
      ],
      [oldGoneAt(31_000)],
    ),
    verdict: 'pass',
  },
  {
    situation: 'one wake served again after success',
    facts: facts([run('run-a', 2_000, 30_000, sameWake), run('run-b', 40_000, 50_000, sameWake)], [oldGoneAt(31_000)]),
    verdict: 'fail',
    codes: ['wake_served_twice'],
  },
  { situation: 'one run that wrote many replies to one comment', facts: manyReplies(), verdict: 'pass' },
  {
    situation: 'the runs could not be read',
    facts: given.goodFacts({ truth: { before: null, after: null, rest: null }, runs: null }),
    verdict: 'unknown',
  },
  {
    situation: 'only the board saw the runs',
    facts: given.goodFacts({ truth: { before: null, after: null, rest: null } }),
    verdict: 'pass',
  },
  {
    situation: 'two runs and no process told of itself',
    facts: { ...facts(twoRuns), timeline: life([given.createdAt(1_000), restAt(restMs)]) },
    verdict: 'unknown',
  },
  {
    situation: 'the wall clock was set during the wave',
    facts: withClockSet(facts(twoRuns, [oldGoneAt(31_000)])),
    verdict: 'unknown',
  },
];

/** The control of the literature: what looked like two services was one run that answered three times. */
function manyReplies(): TaskFacts {
  const replies = ['r1', 'r2', 'r3'].map((id) =>
    at(10_000, {
      kind: 'comment_seen',
      task: 't01',
      comment: { id, authorType: 'agent', createdByRunId: 'run-a', body: id, createdAt: wallAt(9_000) },
    }),
  );
  return facts([run('run-a', 2_000, 30_000, { wakeCommentIds: ['c1'] })], replies);
}

function withClockSet(before: TaskFacts): TaskFacts {
  return {
    ...before,
    timeline: before.timeline.map((event) =>
      event.atMs > 50_000 ? { ...event, wall: wallAt(event.atMs + 3_600_000) } : event,
    ),
  };
}

test.each(titled(rows))('%s', (_title, row) => {
  expect(outcomeOf(r4Once(row.facts))).toEqual(expectedOf(row));
});
