import { expect, test } from 'vitest';
import type { Rest } from '../model/event.ts';
import type { TaskFacts } from '../model/facts.ts';
import * as given from './facts.testing.ts';
import { r1Settles } from './r1-settles.ts';
import { expectedOf, outcomeOf, titled, type RuleRow } from './rule-table.testing.ts';

const { beginning, recheckAt, restAt, restMs } = given;

function rested(rest: Partial<Rest>, ...after: readonly given.Moment[]): TaskFacts {
  return given.goodFacts({ timeline: given.life([...beginning, restAt(restMs, rest), ...after]) });
}

function early(sinceMs: number): TaskFacts {
  return { ...rested({ sinceMs }, recheckAt(131_000)), plan: given.taskPlan({ deadlineMs: 80_000 }) };
}

const interrupted = given.at(restMs, { kind: 'task_unfinished_at_interrupt', task: 't01', lastStatus: 'in_progress' });

const rows: readonly RuleRow[] = [
  { situation: 'done at rest and two sweeps later', facts: rested({}, recheckAt(131_000)), verdict: 'pass' },
  {
    situation: 'blocked at rest',
    facts: rested({ status: 'blocked' }, recheckAt(131_000)),
    verdict: 'fail',
    codes: ['rested_blocked'],
  },
  {
    situation: 'in progress until the observer gave up on it',
    facts: rested({ reason: 'stalled', status: 'in_progress' }),
    verdict: 'fail',
    codes: ['rested_in_progress'],
  },
  {
    situation: 'the deadline ended the watch',
    facts: rested({ reason: 'deadline', status: 'in_progress' }),
    verdict: 'fail',
    codes: ['timed_out'],
  },
  {
    situation: 'the deadline of the wave ended the watch',
    facts: rested({ reason: 'wave_deadline' }),
    verdict: 'fail',
    codes: ['timed_out'],
  },
  { situation: 'done since before its deadline', facts: early(80_000), verdict: 'pass' },
  { situation: 'done since its deadline', facts: early(81_000), verdict: 'pass' },
  { situation: 'done since after its deadline only', facts: early(90_000), verdict: 'fail', codes: ['timed_out'] },
  {
    situation: 'interrupted while open',
    facts: rested({ reason: 'interrupt', status: 'in_progress' }, interrupted),
    verdict: 'fail',
    codes: ['unfinished_at_interrupt'],
  },
  {
    situation: 'interrupted, and only the mark of it is in the log',
    facts: given.goodFacts({ timeline: given.life([...beginning, interrupted]) }),
    verdict: 'fail',
    codes: ['unfinished_at_interrupt'],
  },
  {
    situation: 'the plane was lost while it was open',
    facts: rested({ reason: 'plane_lost', status: 'in_progress' }),
    verdict: 'unknown',
  },
  {
    situation: 'in progress again two sweeps later',
    facts: rested({}, recheckAt(131_000, 'in_progress')),
    verdict: 'fail',
    codes: ['reopened'],
  },
  {
    situation: 'seen in another state after its rest',
    facts: rested({}, given.issueAt(110_000, 'todo'), recheckAt(131_000)),
    verdict: 'fail',
    codes: ['reopened'],
  },
  { situation: 'no second look was taken', facts: rested({}), verdict: 'unknown' },
  {
    situation: 'the second look got no answer',
    facts: rested({}, recheckAt(131_000, null, 'timeout')),
    verdict: 'unknown',
  },
  {
    situation: 'the status at rest was not readable',
    facts: rested({ status: null }, recheckAt(131_000)),
    verdict: 'unknown',
  },
  {
    situation: 'the wave died before the task rested',
    facts: given.goodFacts({ timeline: given.life(beginning) }),
    verdict: 'unknown',
  },
  {
    situation: 'the wave died without a rest, long after the deadline',
    facts: given.goodFacts({ timeline: given.life(beginning), plan: given.taskPlan({ deadlineMs: 50_000 }) }),
    verdict: 'fail',
    codes: ['timed_out'],
  },
];

test.each(titled(rows))('%s', (_title, row) => {
  expect(outcomeOf(r1Settles(row.facts, 'done'))).toEqual(expectedOf(row));
});

test('says since when the board showed the status, also when the rest window began later', () => {
  const rest = restAt(restMs, { status: 'blocked', sinceMs: 70_000 });
  const timeline = given.life([...beginning, given.issueAt(50_000, 'blocked'), rest, recheckAt(131_000, 'blocked')]);
  expect(r1Settles(given.goodFacts({ timeline }), 'done').findings).toMatchObject([
    { atMs: 50_000, seen: expect.stringContaining('blocked since 50.0 s, and unchanged from 70.0 s on') },
  ]);
});
