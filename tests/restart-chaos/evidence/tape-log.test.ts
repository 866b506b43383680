import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HarnessError } from '../model/errors.ts';
import type { WriteTransaction } from '../model/tape.ts';
import { createRedactor } from './redaction.ts';
import { createTapeLog } from './tape-log.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'restart-chaos-tape-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function transaction(seq: number, id = `row-${seq}`): WriteTransaction {
  return {
    seq,
    connection: 1,
    beganAtMs: seq,
    askedAtMs: seq + 0.5,
    endedAtMs: seq + 1,
    outcome: 'committed',
    statements: [{ verb: 'insert', table: 'runs', columns: ['id'], rows: 1, named: [{ id }] }],
    tasks: ['t01'],
  };
}

test('each transaction is a line, and the first one carries the schema of the file', () => {
  const path = join(directory, 'two.jsonl');
  const log = createTapeLog(path, createRedactor());
  log.append(transaction(1));
  // It is with the kernel before the log is closed.
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(2);
  log.append(transaction(2));
  log.close();
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([{ schema: 1, ...transaction(1) }, transaction(2)]);
});

test('a secret in an id column is redacted', () => {
  const path = join(directory, 'secret.jsonl');
  const log = createTapeLog(path, createRedactor(['a-long-secret-value']));
  log.append(transaction(1, 'a-long-secret-value'));
  log.close();
  expect(readFileSync(path, 'utf8')).not.toContain('a-long-secret-value');
});

test('a file that is there already is not written over', () => {
  const path = join(directory, 'once.jsonl');
  createTapeLog(path, createRedactor()).close();
  expect(() => createTapeLog(path, createRedactor())).toThrow(HarnessError);
});

test('nothing is written after the log is closed', () => {
  const path = join(directory, 'closed.jsonl');
  const log = createTapeLog(path, createRedactor());
  log.close();
  log.append(transaction(1));
  expect(readFileSync(path, 'utf8')).toBe('');
});
