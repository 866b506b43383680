import { expect, test } from 'vitest';
import { boardLooks } from './board-looks.ts';
import * as given from './facts.testing.ts';

const look = (askedAtMs: number, outcome: 'ok' | 'timeout' = 'ok'): given.Moment =>
  given.at(askedAtMs + 20, {
    kind: 'poll',
    task: 't01',
    askedAtMs,
    answeredAtMs: askedAtMs + 20,
    outcome,
    detail: null,
  });

test('each look shows what it told and what looks before it had told', () => {
  const timeline = given.timelineOf([
    look(1_000),
    given.issueAt(1_020, 'todo'),
    given.runAt(1_020, { status: 'queued' }),
    look(2_000, 'timeout'),
    look(3_000),
    given.runAt(3_020, { status: 'running' }),
  ]);
  const looks = boardLooks(given.goodFacts({ timeline })).map(({ statuses, told, ...rest }) => ({
    ...rest,
    statuses: Object.fromEntries(statuses),
    told: [...told],
  }));
  const first = { 'issue-1': 'todo', 'run-a': 'queued' };
  expect(looks).toEqual([
    { askedAtMs: 1_000, answeredAtMs: 1_020, isWhole: true, statuses: first, told: ['issue-1', 'run-a'] },
    { askedAtMs: 2_000, answeredAtMs: 2_020, isWhole: false, statuses: first, told: [] },
    {
      askedAtMs: 3_000,
      answeredAtMs: 3_020,
      isWhole: true,
      statuses: { ...first, 'run-a': 'running' },
      told: ['run-a'],
    },
  ]);
});

test('without a look nothing was shown', () => {
  expect(boardLooks(given.goodFacts({ timeline: [] }))).toEqual([]);
});
