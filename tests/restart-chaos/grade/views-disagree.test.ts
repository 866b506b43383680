import { expect, test } from 'vitest';
import type { TaskFacts } from '../model/facts.ts';
import type { WriteTransaction } from '../model/tape.ts';
import * as given from './facts.testing.ts';
import { historiesOf } from './histories.ts';
import { became, goodTape, runLife, tapeOf } from './tape.testing.ts';
import { viewsDisagree } from './views-disagree.ts';

function found(facts: TaskFacts): readonly string[] {
  const histories = historiesOf(facts);
  return histories === null ? [] : viewsDisagree(facts, histories).map(({ seen }) => seen);
}

const issue = (atMs: number, status: string, changes: Partial<WriteTransaction> = {}): WriteTransaction =>
  became(atMs, 'issues', { id: 'issue-1', status }, changes);
const begun = [issue(900, 'todo'), issue(1_450, 'in_progress')];

/** The board shows the issue done from its look at 89 s on; the database had it done when the tape says. */
function doneOnTape(atMs: number, changes: Partial<WriteTransaction> = {}): TaskFacts {
  return given.goodFacts({ tape: tapeOf(...begun, issue(atMs, 'done', changes)) });
}

/** For five seconds the board shows the issue blocked. */
function shownBlocked(...tape: readonly WriteTransaction[]): TaskFacts {
  const shown = [given.issueAt(40_000, 'blocked'), given.issueAt(45_000, 'in_progress')];
  const timeline = given.life([...given.beginning, ...shown, ...given.goodEnd]);
  return given.goodFacts({ timeline, tape: tapeOf(...begun, ...tape, issue(89_400, 'done')) });
}

/** The board shows late, at the end of the usual fault, what the database had since it began. */
function duringFault(faults: TaskFacts['faults']): TaskFacts {
  const slow = given.pollsBetween(20_100, 25_000);
  const timeline = given.life([...given.beginning, ...slow, given.issueAt(25_500, 'done'), given.restAt(given.restMs)]);
  return given.goodFacts({ timeline, faults, tape: tapeOf(...begun, issue(20_090, 'done')) });
}

/** Run A failed at 50 s; the board tells of it when `moments` say. */
function failedRun(...moments: readonly given.Moment[]): TaskFacts {
  const timeline = given.life([...given.beginning, ...moments, given.restAt(given.restMs)]);
  const times = { queuedMs: 1_200, runningMs: 1_400, endedMs: 50_500 };
  return given.goodFacts({ timeline, tape: tapeOf(...begun, ...runLife('run-a', times, 'failed')) });
}

function withFailedLooks(facts: TaskFacts, fromMs: number, toMs: number): TaskFacts {
  const fails = (atMs: number): boolean => atMs >= fromMs && atMs < toMs;
  const timeline = facts.timeline.map((event) =>
    event.kind === 'poll' && fails(event.askedAtMs) ? { ...event, outcome: 'timeout' as const } : event,
  );
  return { ...facts, timeline };
}

test.each<readonly [string, TaskFacts, number]>([
  ['the board shows what the database has', given.goodFacts({ tape: goodTape }), 0],
  ['three looks show an old status of the issue', doneOnTape(85_500), 1],
  ['two looks show an old status of the issue', doneOnTape(86_500), 0],
  [
    'three looks show an old status, and the commit may not have come to be',
    doneOnTape(85_500, { outcome: 'unknown' }),
    0,
  ],
  ['the board shows a status that the database never had', shownBlocked(), 1],
  [
    'the board shows a status that the database had for so long',
    shownBlocked(issue(38_900, 'blocked'), issue(43_900, 'in_progress')),
    0,
  ],
  ['the board is behind while no fault is in progress', duringFault([]), 1],
  ['the board is behind while our fault is in progress', duringFault([given.crash()]), 0],
  [
    'five looks show a status that the database never had, and each second one failed',
    eachSecondFailed(shownBlocked()),
    0,
  ],
  ['a run is told of as failed ten seconds late', failedRun(given.runAt(60_000, { status: 'failed' })), 1],
  ['a run is told of again as running, ten seconds after it failed', failedRun(given.runAt(60_000, { phase: 'x' })), 1],
  ['a run is told of as failed at once', failedRun(given.runAt(50_600, { status: 'failed' })), 0],
  ['a run is never told of again, and may have left the list', failedRun(), 0],
])('%s – %3$i', (_title, facts, findings) => {
  expect(found(facts)).toHaveLength(findings);
});

function eachSecondFailed(facts: TaskFacts): TaskFacts {
  return [39_000, 41_000, 43_000, 45_000].reduce((result, ms) => withFailedLooks(result, ms, ms + 1_000), facts);
}

test('the finding says both values, since when and until when', () => {
  expect(found(doneOnTape(85_500))).toEqual([
    'the board showed issue issue-1 as in_progress from 86.0 s to 88.0 s, and the database had done',
  ]);
});

test('rows of which the board shows no status are not compared', () => {
  const lease = became(2_000, 'environment_leases', { id: 'run-a', status: 'active' });
  expect(found(given.goodFacts({ tape: tapeOf(...begun, issue(89_400, 'done'), lease) }))).toEqual([]);
});
