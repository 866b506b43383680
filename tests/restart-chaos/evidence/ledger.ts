/**
 * results/ledger.jsonl: what every wave left behind, over all waves. Only ever appended to.
 *
 * Trap: several waves can append at once. Each append is one write with O_APPEND, which the kernel keeps whole on a
 * local file system; a tail that a crash tore is closed with a newline first, so that it costs one line, not two.
 */
import { closeSync, fstatSync, fsyncSync, openSync, readSync } from 'node:fs';
import { HarnessError, errorText } from '../model/errors.ts';
import type { LedgerLine } from '../model/record.ts';
import { parseObject, readLines } from './event-reader.ts';
import { newestSchema } from './file.ts';
import { asLedgerLine } from './ledger-schema.ts';
import { writeAll } from './redact-file.ts';
import type { Redactor } from './redaction.ts';

/** Appends lines in one write and flushes them. Throws HarnessError(`evidence-unwritable`). */
export function appendLedger(path: string, lines: readonly LedgerLine[], redactor: Redactor): void {
  if (lines.length === 0) return;
  try {
    const descriptor = openSync(path, 'a+');
    try {
      const text = lines.map((line) => `${JSON.stringify(redactor.json(line))}\n`).join('');
      writeAll(descriptor, Buffer.from(`${endsTorn(descriptor) ? '\n' : ''}${text}`, 'utf8'));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw new HarnessError('evidence-unwritable', `could not append to the ledger ${path}: ${errorText(error)}`, {
      cause: error,
    });
  }
}

const kinds: readonly unknown[] = ['wave', 'task', 'fault'] satisfies readonly LedgerLine['record'][];

/**
 * Every readable line, and how many were not: torn, edited so that they do not fit, or of a newer version. A record kind
 * that this version does not know is passed over. Throws HarnessError(`evidence-unreadable`) when the file cannot be read.
 */
export function readLedger(path: string): { readonly lines: readonly LedgerLine[]; readonly tornLines: number } {
  const lines: LedgerLine[] = [];
  let tornLines = 0;
  for (const text of readLines(path)) {
    const value = parseObject(text);
    if (value !== null && value['schema'] === newestSchema && !kinds.includes(value['record'])) continue;
    const line = value === null ? null : asLedgerLine(value);
    if (line === null) tornLines += 1;
    else lines.push(line);
  }
  return { lines, tornLines };
}

function endsTorn(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}
