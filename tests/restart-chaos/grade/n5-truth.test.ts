import { expect, test } from 'vitest';
import type { TaskFacts } from '../model/facts.ts';
import type { WriteTransaction } from '../model/tape.ts';
import * as given from './facts.testing.ts';
import { n5Truth } from './n5-truth.ts';
import { expectedOf, outcomeOf, titled, type RuleRow } from './rule-table.testing.ts';
import { became, goodTape, tapeOf, update, wrote } from './tape.testing.ts';

function withMore(...transactions: readonly WriteTransaction[]): TaskFacts {
  return given.goodFacts({ tape: tapeOf(...goodTape, ...transactions) });
}

const run = (atMs: number, status: string): WriteTransaction => became(atMs, 'heartbeat_runs', { id: 'run-a', status });
const unnamed = wrote(95_000, [update('heartbeat_runs', [], { rows: 1 })], { tasks: [] });

/** For five seconds the board shows the issue blocked, or in progress as before. */
function shown(status: string, changes: Partial<TaskFacts> = {}): TaskFacts {
  const moments = [given.issueAt(40_000, status), given.issueAt(45_000, 'in_progress')];
  const timeline = given.life([...given.beginning, ...moments, ...given.goodEnd, snapshot]);
  return given.goodFacts({ timeline, tape: goodTape, ...changes });
}

function lossy(facts: TaskFacts): TaskFacts {
  const error = given.at(500, { kind: 'tap_protocol_error', connection: 3, side: 'server', reason: 'a length of 2' });
  return { ...facts, timeline: [...facts.timeline, ...given.timelineOf([error])] };
}

const snapshot = given.at(given.restMs + 300, { kind: 'snapshot', task: 't01', moment: 'rest', ok: true, detail: '' });
const otherRow = { before: null, after: null, rest: given.truth({ runs: [given.truthRun({ status: 'failed' })] }) };

/** The board and the database agree on how the run ended; its agent had finished. */
function withEnding(status: string): TaskFacts {
  const timeline = given.life([...given.beginning, ...given.goodEnd, snapshot]);
  const tape = tapeOf(...goodTape.filter(({ endedAtMs }) => endedAtMs !== 89_500), run(89_500, status));
  const row = { before: null, after: null, rest: given.truth({ runs: [given.truthRun({ status })] }) };
  return given.goodFacts({ timeline, tape, truth: row });
}

const rows: readonly RuleRow[] = [
  { situation: 'what is over stays over and the board shows it', facts: withMore(), verdict: 'pass' },
  {
    situation: 'a run that was over became something else',
    facts: withMore(run(95_000, 'failed')),
    verdict: 'fail',
    codes: ['terminal_changed'],
  },
  { situation: 'a run that was over was written again', facts: withMore(run(95_000, 'succeeded')), verdict: 'pass' },
  {
    situation: 'a run was stored as failed whose agent had finished',
    facts: withEnding('failed'),
    verdict: 'fail',
    codes: ['outcome_mislabelled'],
  },
  {
    situation: 'a run was stored as succeeded whose agent had finished',
    facts: withEnding('succeeded'),
    verdict: 'pass',
  },
  {
    situation: 'the board showed what the database never had',
    facts: shown('blocked'),
    verdict: 'fail',
    codes: ['views_disagree'],
  },
  { situation: 'the board showed what the database had', facts: shown('in_progress'), verdict: 'pass' },
  {
    situation: 'the board showed what the tape does not have, and something was written past the tape',
    facts: shown('blocked', { truth: otherRow }),
    verdict: 'unknown',
  },
  { situation: 'the tap lost sight of a connection', facts: lossy(withMore()), verdict: 'unknown' },
  {
    situation: 'a run that was over became something else on a tape that is not whole',
    facts: lossy(withMore(run(95_000, 'failed'))),
    verdict: 'unknown',
  },
  { situation: 'there is no tape', facts: given.goodFacts(), verdict: 'unknown' },
  { situation: 'rows changed that the tape does not name', facts: withMore(unnamed), verdict: 'unknown' },
  {
    situation: 'a run that was over became something else beside rows without a name',
    facts: withMore(unnamed, run(96_000, 'failed')),
    verdict: 'fail',
    codes: ['terminal_changed'],
  },
];

test.each(titled(rows))('%s', (_title, row) => {
  expect(outcomeOf(n5Truth(row.facts))).toEqual(expectedOf(row));
});

test('a tape that is not whole is said with its reason', () => {
  expect(n5Truth(lossy(withMore()))).toMatchObject({
    unknownBecause:
      'the tap could not follow connection 3 from 0.5 s on (a length of 2): writes may be missing from the tape',
  });
});
