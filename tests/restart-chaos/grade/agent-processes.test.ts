import { expect, test } from 'vitest';
import { agentProcesses } from './agent-processes.ts';
import * as given from './facts.testing.ts';

const { beaconAt, oldProcess, pollsBetween, restAt } = given;

function aliveUntil(...moments: readonly given.Moment[]): number | undefined {
  const life = [
    given.createdAt(1_000),
    beaconAt(2_500, 'started'),
    restAt(60_000),
    ...pollsBetween(1_100, 60_000),
    ...moments,
  ];
  return agentProcesses(given.goodFacts({ timeline: given.timelineOf(life) }))[0]?.alive.toMs;
}

function goneAt(atMs: number, process = oldProcess): given.Moment {
  return given.at(atMs, { kind: 'process_gone', task: 't01', process, runId: 'run-a' });
}

test('a process that was never found gone lives to the end of the watch', () => {
  expect(aliveUntil()).toBe(60_000);
});

test('a process that is found gone was last proven alive by the check before', () => {
  expect(aliveUntil(goneAt(30_130))).toBe(29_120);
});

test('what a process told after that check proves more', () => {
  expect(aliveUntil(beaconAt(29_900, 'ending'), goneAt(30_130))).toBe(29_900);
});

test('a process with the same number and another start is another process', () => {
  expect(aliveUntil(goneAt(30_130, { pid: oldProcess.pid, startTime: 'later' }))).toBe(60_000);
});

test('a process names the run of its beacons, also when the first one did not', () => {
  const timeline = given.timelineOf([beaconAt(1_000, 'started', { runId: null }), beaconAt(2_000, 'activity')]);
  expect(agentProcesses(given.goodFacts({ timeline })).map(({ runId }) => runId)).toEqual(['run-a']);
});
