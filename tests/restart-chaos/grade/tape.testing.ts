/** Builds tapes for the tables of this folder: each transaction is one write, unless a test says more. */
import type { TapeStatement, WriteTransaction } from '../model/tape.ts';

/** A commit that was answered at `atMs`, two milliseconds after it was asked for; tapeOf gives it its number. */
export function wrote(
  atMs: number,
  statements: readonly TapeStatement[],
  changes: Partial<WriteTransaction> = {},
): WriteTransaction {
  const times = { beganAtMs: atMs - 5, askedAtMs: atMs - 2, endedAtMs: atMs };
  return { seq: 0, connection: 1, ...times, outcome: 'committed', statements, tasks: ['t01'], ...changes };
}

/** The same with one row that got a status. */
export function became(
  atMs: number,
  table: string,
  row: { readonly id: string; readonly status: string },
  changes: Partial<WriteTransaction> = {},
): WriteTransaction {
  return wrote(atMs, [update(table, [{ ...row }])], changes);
}

/** An update of the status of these rows and of no others. */
export function update(
  table: string,
  named: TapeStatement['named'],
  changes: Partial<TapeStatement> = {},
): TapeStatement {
  return { verb: 'update', table, columns: ['status', 'updated_at'], rows: named.length, named, ...changes };
}

/** By time, numbered. */
export function tapeOf(...transactions: readonly WriteTransaction[]): readonly WriteTransaction[] {
  return transactions
    .toSorted((left, right) => left.endedAtMs - right.endedAtMs)
    .map((transaction, index) => ({ ...transaction, seq: index + 1 }));
}

/** One run from its queue to its end. */
export function runLife(
  id: string,
  times: { readonly queuedMs: number; readonly runningMs: number; readonly endedMs: number | null },
  end = 'succeeded',
): readonly WriteTransaction[] {
  const { queuedMs, runningMs, endedMs } = times;
  return [
    became(queuedMs, 'heartbeat_runs', { id, status: 'queued' }),
    became(runningMs, 'heartbeat_runs', { id, status: 'running' }),
    ...(endedMs === null ? [] : [became(endedMs, 'heartbeat_runs', { id, status: end })]),
  ];
}

/** The tape of the usual task (facts.testing.ts): issue and run A as the board saw them. */
export const goodTape = tapeOf(
  became(900, 'issues', { id: 'issue-1', status: 'todo' }),
  ...runLife('run-a', { queuedMs: 1_200, runningMs: 1_400, endedMs: 89_500 }),
  became(1_450, 'issues', { id: 'issue-1', status: 'in_progress' }),
  became(89_400, 'issues', { id: 'issue-1', status: 'done' }),
);
