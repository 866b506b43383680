import { describe, expect, test } from 'vitest';
import type { EventBody } from '../model/event.ts';
import type { TaskFacts } from '../model/facts.ts';
import { plainComment } from '../model/view.testing.ts';
import {
  at,
  beaconAt,
  beginning,
  goodEnd,
  goodFacts,
  life,
  restAt,
  runView,
  wallAt,
  type Moment,
} from './facts.testing.ts';
import { n1Intent } from './n1-intent.ts';
import { expectedOf, outcomeOf, titled, type RuleRow } from './rule-table.testing.ts';

// Stop is pressed at 10 s and answered at 11 s, the comment comes at 40 s.
const stop = (accepted: boolean | null = true): Moment => {
  const body: EventBody = {
    kind: 'stop',
    task: 't01',
    runId: 'run-a',
    askedAtMs: 10_000,
    accepted,
    httpStatus: accepted === null ? null : 200,
    error: null,
  };
  return at(11_000, body);
};
const sent: EventBody = {
  kind: 'follow_up_sent',
  task: 't01',
  what: 'continue',
  commentId: 'c1',
  httpStatus: 201,
  error: null,
};
const lift = plainComment({ id: 'c1', authorType: 'user', body: 'go on', createdAt: wallAt(40_000) });
const stopped = runView({ status: 'cancelled' });
const runAtMs = (ms: number, id: string) =>
  runView({ id, status: 'succeeded', createdAt: wallAt(ms), startedAt: wallAt(ms) });
const continued = runAtMs(40_000, 'run-b');
const facts = (changes: Partial<TaskFacts> = {}, moments: readonly Moment[] = [stop()], end = goodEnd): TaskFacts =>
  goodFacts({
    timeline: life([...beginning, ...moments, at(40_100, sent), ...end]),
    runs: [stopped, continued],
    comments: [lift],
    ...changes,
  });
const started = (atMs: number): Moment =>
  beaconAt(atMs, 'started', { runId: 'run-b', process: { pid: 9, startTime: '9' } });
const cutOff = [restAt(100_000, { reason: 'interrupt', status: 'in_progress' })];

const rows: readonly RuleRow[] = [
  { situation: 'no order was given', facts: goodFacts(), verdict: 'pass' },
  { situation: 'stopped, still, continued', facts: facts(), verdict: 'pass' },
  {
    situation: 'a run was created before the comment',
    facts: facts({ runs: [stopped, runAtMs(39_000, 'run-x'), continued] }),
    verdict: 'fail',
    codes: ['ran_after_stop'],
  },
  {
    situation: 'the same run was created after the comment',
    facts: facts({ runs: [stopped, runAtMs(41_000, 'run-x'), continued] }),
    verdict: 'pass',
  },
  {
    situation: 'an agent began before the comment, without a run of its own',
    facts: facts({}, [stop(), started(30_000)]),
    verdict: 'fail',
    codes: ['ran_after_stop'],
  },
  { situation: 'the same agent began after the comment', facts: facts({}, [stop(), started(41_000)]), verdict: 'pass' },
  {
    situation: 'the stopped run is a success at rest',
    facts: facts({ runs: [runView({ status: 'succeeded' }), continued] }),
    verdict: 'fail',
    codes: ['stop_undone'],
  },
  {
    situation: 'the stopped run is gone',
    facts: facts({ runs: [continued] }),
    verdict: 'fail',
    codes: ['stop_undone'],
  },
  {
    situation: 'no run started after the comment',
    facts: facts({ runs: [stopped] }),
    verdict: 'fail',
    codes: ['stop_not_lifted'],
  },
  {
    situation: 'none did, and the watch was cut off',
    facts: facts({ runs: [stopped] }, [stop()], cutOff),
    verdict: 'unknown',
  },
  { situation: 'no comment was stored', facts: facts({ runs: [stopped], comments: [] }), verdict: 'pass' },
  { situation: 'no answer, but cancelled', facts: facts({}, [stop(null)]), verdict: 'pass' },
  {
    situation: 'no answer, and the run went on',
    facts: facts({ runs: [runView({ status: 'succeeded' }), continued] }, [stop(null)]),
    verdict: 'unknown',
  },
  { situation: 'refused', facts: facts({}, [stop(false)]), verdict: 'unknown' },
  { situation: 'no runs were collected', facts: facts({ runs: null }), verdict: 'unknown' },
  { situation: 'no comments were collected', facts: facts({ comments: null }), verdict: 'unknown' },
];

describe('N1 intent', () => {
  test.each(titled(rows))('%s', (_, row) => {
    expect(outcomeOf(n1Intent(row.facts))).toEqual(expectedOf(row));
  });
});
