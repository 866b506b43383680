import { expect, test } from 'vitest';
import type { TaskFacts } from '../model/facts.ts';
import type { WriteTransaction } from '../model/tape.ts';
import * as given from './facts.testing.ts';
import { runRows } from './run-rows.ts';
import { activeWindows } from './run-windows.ts';
import { became, runLife, tapeOf, update, wrote } from './tape.testing.ts';

/** By its row run A was active from 1.4 s to 89.5 s. */
const byRow = [{ fromMs: 1_400, toMs: 89_500 }];

function windows(...tape: readonly WriteTransaction[]): unknown {
  return windowsOf({ tape: tape.length === 0 ? null : tapeOf(...tape) });
}

function windowsOf(changes: Partial<TaskFacts>): unknown {
  const facts = given.goodFacts(changes);
  return activeWindows(facts, runRows(facts) ?? []).get('run-a');
}

const life = (endedMs: number | null): readonly WriteTransaction[] =>
  runLife('run-a', { queuedMs: 1_200, runningMs: 1_500, endedMs });
const again = became(50_000, 'heartbeat_runs', { id: 'run-a', status: 'running' });

test('without a tape, or one that does not know the run, its row says when it was active', () => {
  expect(windows()).toEqual(byRow);
  expect(windows(became(10, 'issues', { id: 'issue-1', status: 'todo' }))).toEqual(byRow);
});

test('the tape says what the database held: from the answer to one commit to the question of the next', () => {
  expect(windows(...life(89_600))).toEqual([{ fromMs: 1_500, toMs: 89_598 }]);
});

test('a run that was taken back and began again was active twice', () => {
  const queued = became(20_000, 'heartbeat_runs', { id: 'run-a', status: 'queued' });
  expect(windows(...life(89_600), queued, again)).toEqual([
    { fromMs: 1_500, toMs: 19_998 },
    { fromMs: 50_000, toMs: 89_598 },
  ]);
});

test('a run that never ended was active until the end of the watch', () => {
  const runs = [given.truthRun({ status: 'running', finishedAt: null })];
  const truth = { before: null, after: null, rest: given.truth({ runs }) };
  expect(windowsOf({ tape: tapeOf(...life(null)), truth })).toEqual([{ fromMs: 1_500, toMs: given.restMs }]);
});

test('a run that is over by its row and at work by the tape goes by its row: the tape missed its end', () => {
  expect(windows(...life(null))).toEqual(byRow);
});

test('a tape that the tap lost sight of a connection for leaves it to the row', () => {
  const error = given.at(500, { kind: 'tap_protocol_error', connection: 3, side: 'client', reason: 'a length of 2' });
  const timeline = [...given.goodFacts().timeline, ...given.timelineOf([error])];
  expect(windowsOf({ tape: tapeOf(...life(89_600)), timeline })).toEqual(byRow);
});

test('a run that was only ever queued was never active, whatever its row says', () => {
  expect(windows(became(1_200, 'heartbeat_runs', { id: 'run-a', status: 'queued' }))).toEqual([]);
});

test('what is not certain leaves it to the row', () => {
  const cut = became(30_000, 'heartbeat_runs', { id: 'run-a', status: 'failed' }, { outcome: 'unknown' });
  expect(windows(...life(89_600), cut)).toEqual(byRow);
  expect(windows(...life(89_600), wrote(30_000, [update('heartbeat_runs', [], { rows: 1 })]))).toEqual(byRow);
  expect(windows(wrote(1_000, [update('heartbeat_runs', [], { rows: 1 })]), ...life(89_600))).toEqual(byRow);
  expect(windows(wrote(30_000, [update('issues', [], { rows: 1 })]), ...life(89_600))).not.toEqual(byRow);
});
