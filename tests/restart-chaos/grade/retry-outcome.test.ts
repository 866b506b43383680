import { expect, test } from 'vitest';
import type { RetryAnswer } from '../model/view.ts';
import * as given from './facts.testing.ts';
import { retryClicks } from './retry-outcome.ts';

const accepted: RetryAnswer = { accepted: true, httpStatus: 202, runId: 'run-b', reason: null };

function outcome(
  answer: RetryAnswer | null,
  moments: readonly given.Moment[] = [],
  endMs = 180_000,
  runId = 'run-a',
): string | undefined {
  const offer = { place: 'run', runId } as const;
  const click = given.at(40_500, { kind: 'retry_clicked', task: 't01', offer, answer, error: null });
  const offered = given.at(40_000, { kind: 'retry_offered', task: 't01', offer });
  const timeline = given.life([...given.beginning, offered, click, given.restAt(endMs), ...moments], endMs);
  return retryClicks(given.goodFacts({ timeline }))[0]?.outcome;
}

function step(atMs: number, runId: string): given.Moment {
  return given.beaconAt(atMs, 'step', { runId, process: { pid: 202, startTime: '2002' } });
}

test.each([
  ['refused by the plane', outcome({ ...accepted, accepted: false }), 'refused'],
  ['accepted, and its run worked', outcome(accepted, [step(50_000, 'run-b')]), 'working'],
  ['accepted, and its run worked before the answer came', outcome(accepted, [step(40_300, 'run-b')]), 'working'],
  ['accepted, and a run nobody knew before worked', outcome(accepted, [step(50_000, 'run-c')]), 'working'],
  ['accepted, and only the offered run still worked', outcome(accepted, [step(50_000, 'run-a')]), 'dead'],
  [
    'accepted, and only an offered run that nobody had seen worked',
    outcome(accepted, [step(50_000, 'run-x')], 180_000, 'run-x'),
    'dead',
  ],
  ['accepted, and nothing worked in time', outcome(accepted, [step(100_501, 'run-b')]), 'dead'],
  ['accepted, and the watch ended early', outcome(accepted, [], 90_000), 'cut_off'],
  ['without an answer, and an agent worked', outcome(null, [step(50_000, 'run-b')]), 'working'],
  ['without an answer, and nothing worked', outcome(null), 'unanswered'],
])('a click %s is %3$s', (_situation, seen, expected) => {
  expect(seen).toBe(expected);
});
