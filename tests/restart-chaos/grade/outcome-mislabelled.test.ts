import { expect, test } from 'vitest';
import type { WriteTransaction } from '../model/tape.ts';
import * as given from './facts.testing.ts';
import { historiesOf } from './histories.ts';
import { outcomeMislabelled } from './outcome-mislabelled.ts';
import { became, runLife, tapeOf } from './tape.testing.ts';

const times = { queuedMs: 1_200, runningMs: 1_400, endedMs: 89_500 };

function ending(detail: string, atMs = 89_000, runId: string | null = 'run-a'): given.Moment {
  return given.beaconAt(atMs, 'ending', { detail, runId });
}

/** The usual end, in which the agent says nothing: each test says what it said. */
const withoutEnding = given.goodEnd.filter(({ body }) => body.kind !== 'beacon' || body.beacon.moment !== 'ending');

function found(moments: readonly given.Moment[], ...tape: readonly WriteTransaction[]): readonly string[] {
  const timeline = given.life([...given.beginning, ...moments, ...withoutEnding]);
  const facts = given.goodFacts({ timeline, tape: tapeOf(...tape) });
  const histories = historiesOf(facts);
  if (histories === null) throw new Error('there is a tape');
  return outcomeMislabelled(facts, histories).map(({ code, seen }) => `${code}: ${seen}`);
}

const failed = ['outcome_mislabelled: it was stored as failed at 89.5 s'];
const succeeded = ['outcome_mislabelled: it was stored as succeeded at 89.5 s'];
const interrupted = ['outcome_mislabelled: it was stored as interrupted at 89.5 s'];

test.each<readonly [string, string, string, readonly string[]]>([
  ['an agent that finished and a run that succeeded', 'exit 0: done', 'succeeded', []],
  ['an agent that finished and a run that failed', 'exit 0: done', 'failed', failed],
  ['an agent that finished and a run that was interrupted', 'exit 0: done', 'interrupted', interrupted],
  ['an agent that gave up and a run that failed', 'exit 3: the plane is away', 'failed', []],
  ['an agent that gave up and a run that succeeded', 'exit 3: the plane is away', 'succeeded', succeeded],
  ['an agent that finished and a run that somebody cancelled', 'exit 0: done', 'cancelled', []],
  ['an agent that was asked to end', 'SIGTERM', 'failed', []],
])('%s', (_title, detail, status, findings) => {
  expect(found([ending(detail)], ...runLife('run-a', times, status))).toEqual(findings);
});

test('a run that is called failed while its agent is still at work, and finishes', () => {
  const early = { ...times, endedMs: 60_000 };
  const seen = 'outcome_mislabelled: it was stored as failed at 60.0 s, while its agent was still at work';
  const began = given.beaconAt(5_000, 'started', { detail: 'sturdy', runId: 'run-a' });
  expect(found([began, ending('exit 0: done')], ...runLife('run-a', early, 'failed'))).toEqual([seen]);
  expect(found([began, ending('exit 3: the plane is away')], ...runLife('run-a', early, 'failed'))).toEqual([]);
});

test('what a run is called after its task was watched to its rest is not held against the faults before it', () => {
  const late = (endedMs: number): readonly string[] =>
    found([ending('exit 0: done')], ...runLife('run-a', { ...times, endedMs }, 'failed'));
  expect(late(given.restMs - 1_000)).toHaveLength(1);
  expect(late(given.restMs + 60_000)).toEqual([]);
});

test('a run that is not over is no outcome yet', () => {
  expect(found([ending('exit 0: done')], ...runLife('run-a', { ...times, endedMs: null }))).toEqual([]);
});

test('an end that may not have come to be proves nothing', () => {
  const cut = became(89_500, 'heartbeat_runs', { id: 'run-a', status: 'failed' }, { outcome: 'unknown' });
  expect(found([ending('exit 0: done')], ...runLife('run-a', { ...times, endedMs: null }), cut)).toEqual([]);
});

test('an agent that told no run, and a run that no agent told of', () => {
  expect(found([ending('exit 0: done', 89_000, null)], ...runLife('run-a', times, 'failed'))).toEqual([]);
  expect(found([ending('exit 0: done', 89_000, 'run-b')], ...runLife('run-a', times, 'failed'))).toEqual([]);
});

test('of a run that two processes worked on, the last one counts', () => {
  const both = [ending('exit 3: the plane is away', 40_000), ending('exit 0: done', 89_000)];
  expect(found(both, ...runLife('run-a', times, 'succeeded'))).toEqual([]);
});

test.each<readonly [string, given.Moment]>([
  ['an agent that was asked to end before it could exit', ending('SIGTERM', 89_100)],
  ['a run that is begun again', given.beaconAt(89_100, 'started', { detail: 'sturdy', runId: 'run-a' })],
])('%s takes its outcome back', (_title, later) => {
  expect(found([ending('exit 0: done'), later], ...runLife('run-a', times, 'failed'))).toEqual([]);
});

test('what a run was called before its last process began says nothing of that process', () => {
  const process = { pid: 78, startTime: '8' };
  const again = given.beaconAt(61_000, 'started', { detail: 'sturdy', runId: 'run-a', process });
  const done = given.beaconAt(89_000, 'ending', { detail: 'exit 0: done', runId: 'run-a', process });
  const life = (end: string): readonly WriteTransaction[] => [
    ...runLife('run-a', { ...times, endedMs: 50_000 }, 'failed'),
    became(60_000, 'heartbeat_runs', { id: 'run-a', status: 'running' }),
    became(89_500, 'heartbeat_runs', { id: 'run-a', status: end }),
  ];
  expect(found([again, done], ...life('succeeded'))).toEqual([]);
  expect(found([again, done], ...life('failed'))).toEqual(failed);
});

test('an agent that our fault killed in the moment of its exit said nothing', () => {
  const process = { pid: 77, startTime: '7' };
  const last = given.beaconAt(89_000, 'ending', { detail: 'exit 0: done', runId: 'run-a', process });
  const kill = (processes: readonly { pid: number; startTime: string }[]): given.Moment =>
    given.at(89_100, {
      kind: 'fault_step',
      ref: 'f02',
      index: 0,
      step: { step: 'signal', target: 'tree', signal: 'SIGKILL' },
      startedAtMs: 89_050,
      endedAtMs: 89_100,
      proof: { observed: true, seen: 'SIGKILL', processes },
    });
  expect(found([last, kill([process])], ...runLife('run-a', times, 'failed'))).toEqual([]);
  expect(found([last, kill([{ pid: 77, startTime: '8' }])], ...runLife('run-a', times, 'failed'))).toEqual(failed);
});

test('a run that got another status later is called what it was called when it ended', () => {
  const changed = (first: string, later: string): readonly WriteTransaction[] => [
    ...runLife('run-a', times, first),
    became(95_000, 'heartbeat_runs', { id: 'run-a', status: later }),
  ];
  expect(found([ending('exit 0: done')], ...changed('succeeded', 'failed'))).toEqual([]);
  expect(found([ending('exit 0: done')], ...changed('failed', 'succeeded'))).toEqual(failed);
});
