import { expect, test } from 'vitest';
import type { WriteTransaction } from '../model/tape.ts';
import * as given from './facts.testing.ts';
import { historiesOf } from './histories.ts';
import { became, tapeOf, update, wrote } from './tape.testing.ts';
import { terminalChanged } from './terminal-changed.ts';

function found(...tape: readonly WriteTransaction[]): ReturnType<typeof terminalChanged> {
  const histories = historiesOf(given.goodFacts({ tape: tapeOf(...tape) }));
  if (histories === null) throw new Error('there is a tape');
  return terminalChanged(histories);
}

function statuses(table: string, ...names: readonly string[]): readonly WriteTransaction[] {
  return names.map((status, index) => became((index + 1) * 1_000, table, { id: 'row-1', status }));
}

const runs = 'heartbeat_runs';
const wakes = 'agent_wakeup_requests';

test.each<readonly [string, readonly WriteTransaction[], number]>([
  ['a run that succeeded and failed later', statuses(runs, 'running', 'succeeded', 'failed'), 1],
  ['a run that was running and failed later', statuses(runs, 'queued', 'running', 'failed'), 0],
  ['a run that failed and was queued again', statuses(runs, 'running', 'failed', 'queued'), 1],
  ['a wake that was completed and queued again', statuses(wakes, 'claimed', 'completed', 'queued'), 1],
  ['a wake that was claimed and queued again', statuses(wakes, 'queued', 'claimed', 'queued'), 0],
  ['a run that succeeded twice', statuses(runs, 'running', 'succeeded', 'succeeded'), 0],
  ['a run that was changed again and again', statuses(runs, 'failed', 'queued', 'running', 'failed', 'cancelled'), 1],
  ['an issue that was done and reopened', statuses('issues', 'done', 'in_progress'), 0],
  ['a lease that expired and was taken again', statuses('environment_leases', 'expired', 'active'), 0],
])('%s – %3$i', (_title, tape, findings) => {
  expect(found(...tape)).toHaveLength(findings);
});

test('a change that was rolled back or that may not have come to be is none', () => {
  const ended = statuses(runs, 'running', 'succeeded');
  const failed = (outcome: WriteTransaction['outcome']): WriteTransaction =>
    became(9_000, runs, { id: 'row-1', status: 'failed' }, { outcome });
  expect(found(...ended, failed('rolled_back'))).toEqual([]);
  expect(found(...ended, failed('unknown'))).toEqual([]);
  expect(found(...ended, failed('committed'))).toHaveLength(1);
});

test('a change whose commit was cut off is one as soon as the row is seen with it', () => {
  const cut = became(9_000, runs, { id: 'row-1', status: 'failed' }, { outcome: 'unknown' });
  const seen = became(10_000, runs, { id: 'row-1', status: 'failed' });
  expect(found(...statuses(runs, 'running', 'succeeded'), cut, seen)).toMatchObject([{ atMs: 10_000 }]);
});

test('a status in the middle of a transaction is none that the row ever had', () => {
  const statements = ['failed', 'queued'].map((status) => update(runs, [{ id: 'row-1', status }]));
  expect(found(...statuses(runs, 'running'), wrote(9_000, statements))).toEqual([]);
});

test.each([
  ['before the end was answered: which came first nobody knows', 1_990, 0],
  ['when the end was answered', 2_000, 1],
])('a change that was asked for %s', (_title, askedAtMs, findings) => {
  const later = became(2_050, runs, { id: 'row-1', status: 'failed' }, { askedAtMs });
  expect(found(...statuses(runs, 'running', 'succeeded'), later)).toHaveLength(findings);
});

test('the finding names both statuses, both times and the row', () => {
  expect(found(...statuses(runs, 'running', 'succeeded', 'failed'))).toMatchObject([
    {
      rule: 'N5',
      code: 'terminal_changed',
      seen: 'run row-1 was succeeded at 2.0 s and became failed at 3.0 s',
      atMs: 3_000,
      ids: ['row-1'],
    },
  ]);
});
