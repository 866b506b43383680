/** R4 where the tape says when the runs were active; r4-once.test.ts has what their rows say. */
import { expect, test } from 'vitest';
import type { TaskFacts } from '../model/facts.ts';
import * as given from './facts.testing.ts';
import { r4Once } from './r4-once.ts';
import { expectedOf, outcomeOf, titled, type RuleRow } from './rule-table.testing.ts';
import { became, runLife, tapeOf } from './tape.testing.ts';

const { truthRun, wallAt } = given;

/** Run A, which by its row ended at `rowEndedMs`, or nobody knows when, and by the tape at `endedMs`; run B from 35 s on. */
function twoRuns(rowEndedMs: number | null, endedMs: number): TaskFacts {
  const finishedAt = rowEndedMs === null ? null : wallAt(rowEndedMs);
  const runs = [
    truthRun({ status: 'failed', startedAt: wallAt(2_000), finishedAt }),
    truthRun({ id: 'run-b', wakeupRequestId: 'wake-2', startedAt: wallAt(35_000), finishedAt: wallAt(60_000) }),
  ];
  const gone = given.at(31_000, { kind: 'process_gone', task: 't01', process: given.oldProcess, runId: 'run-a' });
  return given.goodFacts({
    timeline: given.life([given.createdAt(1_000), given.beaconAt(2_500, 'started'), gone, given.restAt(given.restMs)]),
    truth: { before: null, after: null, rest: given.truth({ runs }) },
    tape: tapeOf(
      ...runLife('run-a', { queuedMs: 1_900, runningMs: 2_000, endedMs }, 'failed'),
      ...runLife('run-b', { queuedMs: 34_000, runningMs: 35_000, endedMs: 60_000 }),
    ),
  });
}

/** The same, and for `forMs` run A is running once more while run B is. */
function onceMore(forMs: number): TaskFacts {
  const again = ['running', 'failed'].map((status, index) =>
    became(40_000 + index * forMs, 'heartbeat_runs', { id: 'run-a', status }),
  );
  const facts = twoRuns(30_000, 30_000);
  return { ...facts, tape: tapeOf(...(facts.tape ?? []), ...again) };
}

const rows: readonly RuleRow[] = [
  {
    situation: 'a run whose row says nothing of its end ended 5 s after the next began',
    facts: twoRuns(null, 40_000),
    verdict: 'fail',
    codes: ['overlap'],
  },
  {
    situation: 'a run whose row says nothing of its end ended before the next began',
    facts: twoRuns(null, 34_900),
    verdict: 'pass',
  },
  {
    situation: 'a run whose end was written into its row later than it came',
    facts: twoRuns(50_000, 34_900),
    verdict: 'pass',
  },
  {
    situation: 'a run that was over came back beside the next one, which its row does not tell',
    facts: onceMore(3_000),
    verdict: 'fail',
    codes: ['overlap'],
  },
  { situation: 'a run came back beside the next one for less than a poll', facts: onceMore(900), verdict: 'pass' },
];

test.each(titled(rows))('%s', (_title, row) => {
  expect(outcomeOf(r4Once(row.facts))).toEqual(expectedOf(row));
});

test('the finding says when, and leads to the tape', () => {
  expect(r4Once(twoRuns(null, 40_000)).findings[0]).toMatchObject({
    atMs: 35_000,
    seen: 'runs run-a and run-b were both active for 5.0 s',
    evidence: expect.arrayContaining(['tape.jsonl']),
  });
});
