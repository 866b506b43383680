import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sampleTape } from '../../fixtures/sample-tape.ts';
import type { TapeCounts } from '../model/tape.ts';
import { gapsOfTape, readTape, tapeCounts } from './tape-reader.ts';
import { tapeText } from './task-tape.ts';

const directory = mkdtempSync(join(tmpdir(), 'tape-'));
afterAll(() => rmSync(directory, { recursive: true }));
const path = join(directory, 'tape.jsonl');
const whole = { transactions: sampleTape(), tornLines: 0 };
const counts = (writes: number): TapeCounts => ({
  connections: 1,
  writes,
  housekeeping: 0,
  reads: 9,
  protocolErrors: 0,
});

function read(text: string): ReturnType<typeof readTape> {
  writeFileSync(path, text);
  return readTape(path);
}

test('no file is no tape, and an empty one is a tape of nothing', () => {
  expect(readTape(join(directory, 'none.jsonl'))).toBeNull();
  expect(read('')).toEqual({ transactions: [], tornLines: 0 });
});

test('what was written is read back, and the first line carries the schema', () => {
  const text = tapeText(whole.transactions);
  expect(text.startsWith('{"schema":1,"seq":1,')).toBe(true);
  expect(read(text)).toEqual(whole);
});

test('torn lines are counted, at the end and in the middle', () => {
  const lines = tapeText(whole.transactions).split('\n');
  expect(read([...lines.slice(0, 2), '{"seq":3,"conn', lines[3], '{"seq":5'].join('\n'))).toEqual({
    transactions: [whole.transactions[0], whole.transactions[1], whole.transactions[3]],
    tornLines: 2,
  });
});

test.each<readonly [string, object]>([
  ['has no number', { seq: '1' }],
  ['ended in a way that nobody knows', { outcome: 'perhaps' }],
  ['has a statement without a table', { statements: [{ verb: 'update', columns: [], rows: 1, named: [] }] }],
  ['names a row by a number', { statements: [{ ...whole.transactions[0]?.statements[0], named: [{ id: 4 }] }] }],
  ['sets columns that are none', { statements: [{ ...whole.transactions[0]?.statements[0], updates: 5 }] }],
  ['says nothing of its tasks', { tasks: null }],
])('a line that %s is none of ours', (_title, changes) => {
  expect(read(`${JSON.stringify({ ...whole.transactions[0], ...changes })}\n`)).toEqual({
    transactions: [],
    tornLines: 1,
  });
});

test('a newer schema is refused by name', () => {
  expect(() => read(tapeText(whole.transactions).replace('"schema":1', '"schema":2'))).toThrow(
    /tape\.jsonl has schema 2.*newer restart-chaos/,
  );
});

test.each<readonly [string, string | null, Parameters<typeof gapsOfTape>]>([
  ['a whole tape', null, [whole, counts(5)]],
  ['a tape that ends early', 'ends with transaction 5 of 7', [whole, counts(7)]],
  ['a tape with a torn line', 'has 1 unreadable lines', [{ ...whole, tornLines: 1 }, counts(5)]],
  ['the tape of a wave that died in a line', null, [{ ...whole, tornLines: 1 }, null]],
  ['a tape that is damaged in many places', 'has 3 unreadable lines', [{ ...whole, tornLines: 3 }, null]],
  [
    'a tape without its second line',
    'transaction 2 is missing: the line after 1 has number 3',
    [{ ...whole, transactions: whole.transactions.filter(({ seq }) => seq !== 2) }, null],
  ],
])('what is missing from %s – %s', (_title, missing, given) => {
  expect(gapsOfTape(...given)).toBe(missing);
});

test('the counts are those that were told last', () => {
  const closed = { kind: 'tape_closed', counts: counts(5), seq: 1, atMs: 1, wall: '' } as const;
  expect(tapeCounts([])).toBeNull();
  expect(tapeCounts([closed, { ...closed, counts: counts(6) }])?.writes).toBe(6);
});
