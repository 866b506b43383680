/**
 * Reads a write tape back, that of a wave or the part of it in a task's bundle. Does not repair anything: a line that
 * cannot be read is counted, and what is missing can be asked for.
 *
 * Trap: a line that was never written leaves no trace at the end of the file; only the count in `tape_closed` shows it.
 */
import { existsSync } from 'node:fs';
import type { WaveEvent } from '../model/event.ts';
import type { TapeCounts, TapeStatement, WriteTransaction } from '../model/tape.ts';
import { parseObject, readLines } from './event-reader.ts';
import { refuseNewer } from './file.ts';

export interface StoredTape {
  /** In the order of the file. */
  readonly transactions: readonly WriteTransaction[];
  /** Lines that could not be read: a torn tail, or damage in the middle. */
  readonly tornLines: number;
}

/**
 * Null when there is no file: the wave ran without a tap. Throws HarnessError(`evidence-unreadable`) when the file
 * exists and cannot be read, or was written by a newer version.
 */
export function readTape(path: string): StoredTape | null {
  if (!existsSync(path)) return null;
  const transactions: WriteTransaction[] = [];
  let tornLines = 0;
  for (const line of readLines(path)) {
    const value = parseObject(line);
    if (value === null) {
      tornLines += 1;
      continue;
    }
    refuseNewer(path, value);
    const { schema: _schema, ...transaction } = value;
    if (isTransaction(transaction)) transactions.push(transaction);
    else tornLines += 1;
  }
  return { transactions, tornLines };
}

/**
 * What is missing from the tape of a wave, in words; null when it is whole. `counts` are those that were taken when the
 * tape was closed; null when the wave died before. Then a torn tail is where the wave ended, as it is in its events.
 */
export function gapsOfTape({ transactions, tornLines }: StoredTape, counts: TapeCounts | null): string | null {
  const gap = transactions.findIndex(({ seq }, index) => seq !== index + 1);
  if (gap !== -1)
    return `transaction ${gap + 1} is missing: the line after ${gap} has number ${transactions[gap]?.seq}`;
  if (counts === null) return tornLines > 1 ? `has ${tornLines} unreadable lines` : null;
  if (tornLines > 0) return `has ${tornLines} unreadable lines`;
  const { length } = transactions;
  return length === counts.writes ? null : `ends with transaction ${length} of ${counts.writes}`;
}

/** What was counted when the tape was closed; null when the wave died before, or ran without a tap. */
export function tapeCounts(events: readonly WaveEvent[]): TapeCounts | null {
  return events.findLast((event) => event.kind === 'tape_closed')?.counts ?? null;
}

const verbs: readonly unknown[] = ['insert', 'update', 'delete'];
const outcomes: readonly unknown[] = ['committed', 'rolled_back', 'unknown'];

function isTransaction(value: Record<string, unknown>): value is Record<string, unknown> & WriteTransaction {
  const numbers = [value['connection'], value['beganAtMs'], value['askedAtMs'], value['endedAtMs']];
  const { statements, tasks } = value;
  return (
    Number.isInteger(value['seq']) &&
    numbers.every((number) => typeof number === 'number') &&
    outcomes.includes(value['outcome']) &&
    Array.isArray(statements) &&
    statements.every(isStatement) &&
    isTexts(tasks)
  );
}

function isStatement(value: unknown): value is TapeStatement {
  if (!isObject(value)) return false;
  const { verb, table, columns, rows, named, updates } = value;
  return (
    verbs.includes(verb) &&
    typeof table === 'string' &&
    isTexts(columns) &&
    (updates === undefined || isTexts(updates)) &&
    Number.isInteger(rows) &&
    Array.isArray(named) &&
    named.every((row) => isObject(row) && isTexts(Object.values(row)))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
