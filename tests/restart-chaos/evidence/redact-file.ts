/**
 * Copies a log that a child wrote by itself (so that it survives us) into the evidence, without its secrets.
 *
 * Works on bytes: a log can hold anything, and a decoder would change what is not UTF-8.
 * Trap: a secret can lie over the border of two chunks; a tail as long as the longest form is kept back.
 */
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { HarnessError, errorText } from '../model/errors.ts';
import { redacted, type Redactor } from './redaction.ts';

/**
 * Streams `from` into the new file `to` and returns the number of bytes written. Constant memory.
 * Throws HarnessError: `evidence-unreadable` for `from`, `evidence-unwritable` when `to` exists or cannot be written.
 */
export function redactFile(from: string, to: string, redactor: Redactor, chunkBytes = 1 << 20): number {
  const source = attempt('evidence-unreadable', `open the log ${from}`, () => openSync(from, 'r'));
  try {
    const target = attempt('evidence-unwritable', `create ${to}`, () => openSync(to, 'wx'));
    try {
      return attempt('evidence-unwritable', `copy ${from} to ${to}`, () => {
        const bytes = copyRedacted({ source, target, redactor, chunkBytes });
        fsyncSync(target);
        return bytes;
      });
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

interface Copy {
  readonly source: number;
  readonly target: number;
  readonly redactor: Redactor;
  readonly chunkBytes: number;
}

function copyRedacted({ source, target, redactor, chunkBytes }: Copy): number {
  const pattern = redactor.latin1.expression();
  const keptBack = Math.max(0, redactor.latin1.longest() - 1);
  const chunk = Buffer.alloc(chunkBytes);
  let pending = '';
  let written = 0;
  for (;;) {
    const count = readSync(source, chunk, 0, chunkBytes, null);
    pending += chunk.toString('latin1', 0, count);
    const safeUntil = count === 0 ? pending.length : pending.length - keptBack;
    if (safeUntil > 0) {
      const { text, consumed } = replaceUntil(pending, pattern, safeUntil);
      written += writeAll(target, Buffer.from(text, 'latin1'));
      pending = pending.slice(consumed);
    }
    if (count === 0) return written;
  }
}

/** Replaces the matches that begin before `limit`: every form of any match there is wholly visible. */
function replaceUntil(input: string, pattern: RegExp | null, limit: number): { text: string; consumed: number } {
  const parts: string[] = [];
  let position = 0;
  if (pattern !== null) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(input); match !== null && match.index < limit; match = pattern.exec(input)) {
      parts.push(input.slice(position, match.index), redacted);
      position = match.index + match[0].length;
    }
  }
  const consumed = Math.max(position, limit);
  parts.push(input.slice(position, consumed));
  return { text: parts.join(''), consumed };
}

/** Writes all bytes; a file system may take fewer than it is given. */
export function writeAll(descriptor: number, bytes: Uint8Array): number {
  for (let offset = 0; offset < bytes.length;) offset += writeSync(descriptor, bytes, offset);
  return bytes.length;
}

function attempt<T>(code: 'evidence-unreadable' | 'evidence-unwritable', what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new HarnessError(code, `could not ${what}: ${errorText(error)}`, { cause: error });
  }
}
