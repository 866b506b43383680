import { expect, test } from 'vitest';
import * as given from './facts.testing.ts';
import { activeWindow, runRows, sameIssue, type RunRow } from './run-rows.ts';

const { truth, truthRun, wallAt } = given;
const nothing = { before: null, after: null, rest: null };

function rows(...runs: readonly ReturnType<typeof truthRun>[]): readonly RunRow[] {
  return runRows(given.goodFacts({ truth: { ...nothing, rest: truth({ runs }) } })) ?? [];
}

function windowOf(changes: Parameters<typeof truthRun>[0]): readonly [number, number] | null {
  const [row] = rows(truthRun(changes));
  const window = row === undefined ? null : activeWindow(row, 200_000);
  return window === null ? null : [Math.round(window.fromMs), Math.round(window.toMs)];
}

test('rows come oldest first, with times of the wave', () => {
  const late = truthRun({ id: 'run-b', createdAt: wallAt(50_000) });
  expect(rows(late, truthRun()).map(({ id, createdMs }) => [id, Math.round(createdMs ?? 0)])).toEqual([
    ['run-a', 1_200],
    ['run-b', 50_000],
  ]);
});

test('the board view stands in when the database could not be read, and nothing when neither was', () => {
  expect(runRows(given.goodFacts({ truth: nothing }))?.map(({ id }) => id)).toEqual(['run-a']);
  expect(runRows(given.goodFacts({ truth: nothing, runs: null }))).toBeNull();
});

test('a run is active from its start to its end', () => {
  expect(windowOf({})).toEqual([1_400, 89_500]);
});

test('a running one is active to the end of the watch', () => {
  expect(windowOf({ status: 'running', finishedAt: null })).toEqual([1_400, 200_000]);
});

test('a final one that does not say when it ended was active for no known time', () => {
  expect(windowOf({ status: 'failed', finishedAt: null, updatedAt: wallAt(40_000) })).toBeNull();
});

test('one that never started was never active', () => {
  expect(windowOf({ status: 'queued', startedAt: null, finishedAt: null })).toBeNull();
});

test('runs of different issues are not of the same issue, unless one does not say', () => {
  const [own, other] = rows(truthRun(), truthRun({ id: 'run-b', issueId: 'issue-2', createdAt: wallAt(9_000) })) as [
    RunRow,
    RunRow,
  ];
  expect([sameIssue(own, own), sameIssue(own, other), sameIssue(own, { ...other, issueId: null })]).toEqual([
    true,
    false,
    true,
  ]);
});
