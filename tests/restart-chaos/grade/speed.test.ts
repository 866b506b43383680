import { expect, test } from 'vitest';
import type { TaskFacts } from '../model/facts.ts';
import * as given from './facts.testing.ts';
import { continuationOf, speedOf } from './speed.ts';

const offer = { place: 'run', runId: 'run-a' } as const;
const answer = { accepted: true, httpStatus: 202, runId: 'run-b', reason: null };
const click = given.at(40_000, { kind: 'retry_clicked', task: 't01', offer, answer, error: null });

function ending(status: string, ...moments: readonly given.Moment[]): TaskFacts {
  return given.goodFacts({
    timeline: given.life([...given.beginning, given.restAt(given.restMs, { status }), ...moments]),
  });
}

test('the first activity counts from the creation of the run, not of the issue and not from its start', () => {
  const waited = given.truth({
    runs: [given.truthRun({ createdAt: given.wallAt(2_200), startedAt: given.wallAt(2_400) })],
  });
  const late = [given.createdAt(1_000), given.beaconAt(2_500, 'started'), given.beaconAt(3_000, 'activity')];
  const facts = given.goodFacts({
    timeline: given.timelineOf(late),
    truth: { before: null, after: null, rest: waited },
  });
  expect(speedOf(facts).firstActivityMs).toBe(800);
});

test('the first activity is that of the first run, and a start is none', () => {
  const runs = [given.truthRun(), given.truthRun({ id: 'run-b', createdAt: given.wallAt(30_000) })];
  const moments = [
    given.createdAt(1_000),
    given.beaconAt(2_500, 'started'),
    given.beaconAt(31_000, 'activity', { runId: 'run-b' }),
  ];
  const facts = given.goodFacts({
    timeline: given.timelineOf(moments),
    truth: { before: null, after: null, rest: given.truth({ runs }) },
  });
  expect(speedOf(facts).firstActivityMs).toBeNull();
});

test('resuming is from ready after the last fault to the next activity', () => {
  const second = given.crash({
    ref: 'f02',
    startedAtMs: 40_000,
    struckAtMs: 40_000,
    readyAtMs: 44_000,
    endedAtMs: 44_000,
  });
  const facts = {
    ...ending('done', given.beaconAt(30_000, 'step'), given.beaconAt(46_500, 'step')),
    faults: [given.crash(), second],
  };
  expect(speedOf(facts).resumeMs).toBe(2_500);
});

test('a task that was never crossed or never worked again has nothing to resume', () => {
  expect(speedOf(given.controlFacts()).resumeMs).toBeNull();
  expect(speedOf(ending('blocked')).resumeMs).toBeNull();
});

test('the time to rest ends where the resting state began, and only a rest has one', () => {
  expect(speedOf(given.goodFacts()).restMs).toBe(given.doneMs - given.createdMs);
  const gaveUp = given.life([...given.beginning, given.restAt(given.restMs, { reason: 'deadline' })]);
  expect(speedOf(given.goodFacts({ timeline: gaveUp })).restMs).toBeNull();
});

test.each([
  ['not_crossed', given.controlFacts()],
  ['automatic', given.goodFacts()],
  ['one_working_retry', ending('done', click, given.beaconAt(42_000, 'step', { runId: 'run-b' }))],
  ['automatic', ending('done', click)],
  ['not_at_all', ending('blocked', click)],
] as const)('a task goes on: %s', (continuation, facts) => {
  expect(continuationOf(facts, 'done')).toBe(continuation);
});
