import { expect, test } from 'vitest';
import type { TapeStatement, WriteTransaction } from '../model/tape.ts';
import { tapeText, transactionsOfTask } from './task-tape.ts';

function update(rows: number, ids: readonly string[]): TapeStatement {
  const named = ids.map((id) => ({ id, status: 'done' }));
  return { verb: 'update', table: 'heartbeat_runs', columns: ['status'], rows, named };
}

function transaction(seq: number, tasks: readonly string[], statement: TapeStatement): WriteTransaction {
  const times = { beganAtMs: seq, askedAtMs: seq, endedAtMs: seq };
  return { seq, connection: 1, ...times, outcome: 'committed', statements: [statement], tasks };
}

test('the tape of a task is what touches it, in order', () => {
  const own = transaction(1, ['t01'], update(1, ['a']));
  const foreign = transaction(2, ['t02'], update(1, ['b']));
  const shared = transaction(3, ['t01', 't02'], update(2, ['a', 'b']));
  expect(transactionsOfTask([own, foreign, shared], 't01')).toEqual([own, shared]);
});

test('a status change that does not name its rows may be of any task, whosever transaction it is in', () => {
  const nobodys = transaction(1, [], update(3, []));
  const foreign = transaction(2, ['t02'], update(2, ['b']));
  expect(transactionsOfTask([nobodys, foreign], 't01')).toEqual([nobodys, foreign]);
});

test('each transaction is a line, and the first carries the schema', () => {
  const one = transaction(1, ['t01'], update(1, ['a']));
  const lines = tapeText([one, one]).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([{ schema: 1, ...one }, one]);
});
