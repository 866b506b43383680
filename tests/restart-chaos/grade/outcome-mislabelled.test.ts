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

function found(moments: readonly given.Moment[], ...tape: readonly WriteTransaction[]): readonly string[] {
  const timeline = given.life([...given.beginning, ...moments, ...given.goodEnd]);
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
