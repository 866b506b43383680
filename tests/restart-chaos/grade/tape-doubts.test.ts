import { expect, test } from 'vitest';
import type { TaskFacts } from '../model/facts.ts';
import type { WriteTransaction } from '../model/tape.ts';
import type { TaskTruth } from '../model/truth.ts';
import * as given from './facts.testing.ts';
import { historiesOf } from './histories.ts';
import { tapeDoubts } from './tape-doubts.ts';
import { became, goodTape, tapeOf, update, wrote } from './tape.testing.ts';

function doubts(tape: TaskFacts['tape'], rest: Partial<TaskTruth> = {}): readonly string[] {
  const snapshot = { kind: 'snapshot', task: 't01', moment: 'rest', ok: true, detail: '' } as const;
  const timeline = given.life([...given.beginning, ...given.goodEnd, given.at(given.restMs + 300, snapshot)]);
  const truth = { before: null, after: null, rest: given.truth(rest) };
  const facts = given.goodFacts({ timeline, truth, tape });
  const histories = historiesOf(facts);
  return histories === null ? [] : tapeDoubts(facts, histories);
}

const more = (...transactions: readonly WriteTransaction[]): TaskFacts['tape'] => tapeOf(...goodTape, ...transactions);
const unnamed = (table: string): WriteTransaction =>
  wrote(30_000, [update(table, [{ agent_id: 'x' }], { rows: 2 })], { tasks: [] });
const cutEnd = (status: string): WriteTransaction =>
  became(95_000, 'heartbeat_runs', { id: 'run-a', status }, { outcome: 'unknown' });

test.each<readonly [string, readonly string[], readonly string[]]>([
  ['a whole tape', doubts(goodTape), []],
  [
    'the tape of another plane',
    doubts(tapeOf(became(10, 'jobs', { id: 'job-1', status: 'new' }))),
    ['the tape does not name the issue of the task'],
  ],
  [
    'runs that changed without a name',
    doubts(more(unnamed('heartbeat_runs'))),
    ['rows changed that the tape does not name: 2 of heartbeat_runs at 30.0 s'],
  ],
  [
    'runs that may have been there already and got a status',
    doubts(more(wrote(30_000, [update('heartbeat_runs', [], { verb: 'insert', rows: 2, updates: ['status'] })]))),
    ['rows changed that the tape does not name: 2 of heartbeat_runs at 30.0 s'],
  ],
  [
    'runs that were new and have no name',
    doubts(more(wrote(30_000, [update('heartbeat_runs', [], { verb: 'insert', rows: 2 })]))),
    [],
  ],
  [
    'runs that a WITH may have changed',
    doubts(more(wrote(30_000, [update('heartbeat_runs', [], { rows: 0, isCountUnknown: true })]))),
    ['rows changed that the tape does not name: perhaps some of heartbeat_runs at 30.0 s'],
  ],
  [
    'a run that was over, and another commit of it at the same time',
    doubts(more(became(89_550, 'heartbeat_runs', { id: 'run-a', status: 'failed' }, { askedAtMs: 89_490 })), {
      runs: [given.truthRun({ status: 'failed' })],
    }),
    ['run run-a became succeeded and failed by commits that crossed each other'],
  ],
  ['leases that changed without a name', doubts(more(unnamed('environment_leases'))), []],
  [
    'a run that was over, and a commit that was cut',
    doubts(more(cutEnd('failed'))),
    ['run run-a was over, and a commit that was cut off may have made it failed'],
  ],
  ['a run that was over, and a commit that was cut and changed nothing', doubts(more(cutEnd('succeeded'))), []],
  [
    'a row that is not as the tape has it',
    doubts(goodTape, { runs: [given.truthRun({ status: 'failed' })] }),
    ['the rows at rest are not those of the tape: run run-a is failed and should be succeeded'],
  ],
  ['a row that the tape does not know', doubts(goodTape, { wakes: [given.truthWake()] }), []],
])('%s', (_title, found, expected) => {
  expect(found).toEqual(expected);
});
