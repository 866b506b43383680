/**
 * The write tape of a wave on its way to the disk: tape.jsonl, one transaction a line, in the order in which they ended.
 * A line is with the kernel when `append` returns, as an event is. Holds ids, statuses and column names only; they are
 * redacted all the same, because an id column of another plane may hold anything.
 */
import { closeSync, openSync } from 'node:fs';
import { errorText, HarnessError } from '../model/errors.ts';
import type { WriteTransaction } from '../model/tape.ts';
import { writeAll } from './redact-file.ts';
import type { Redactor } from './redaction.ts';

export interface TapeLog {
  /** Throws HarnessError(`evidence-unwritable`) the first time a line cannot be written; later lines are left out. */
  append(transaction: WriteTransaction): void;
  close(): void;
}

/** Creates the file. Throws HarnessError(`evidence-unwritable`) when it exists or cannot be created. */
export function createTapeLog(path: string, redact: Pick<Redactor, 'json'>): TapeLog {
  let descriptor: number | null = openNew(path);
  let isFirst = true;
  return {
    append: (transaction) => {
      if (descriptor === null) return;
      const line = redact.json(transaction);
      const text = `${JSON.stringify(isFirst ? { schema: 1, ...line } : line)}\n`;
      isFirst = false;
      try {
        writeAll(descriptor, Buffer.from(text, 'utf8'));
      } catch (error) {
        closeSync(descriptor);
        descriptor = null;
        throw new HarnessError(
          'evidence-unwritable',
          `could not append transaction ${transaction.seq} to ${path}: ${errorText(error)}; what is in the file stays readable, later transactions are not on disk`,
          { cause: error },
        );
      }
    },
    close: () => {
      if (descriptor !== null) closeSync(descriptor);
      descriptor = null;
    },
  };
}

function openNew(path: string): number {
  try {
    return openSync(path, 'ax');
  } catch (error) {
    throw new HarnessError('evidence-unwritable', `could not create the tape ${path}: ${errorText(error)}`, {
      cause: error,
    });
  }
}
