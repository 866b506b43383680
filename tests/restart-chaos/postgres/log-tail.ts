/**
 * What a server wrote to its log since a moment, for messages to people. Deliberately never used to decide that a server
 * is ready. Trap: the file is appended to over restarts, so that the last lines alone may tell of an earlier one.
 */
import { open, stat } from 'node:fs/promises';

const tailBytes = 4_096;

/** The size of the log now, 0 when there is none: what is behind it later was written since. */
export async function logSize(logFile: string): Promise<number> {
  return (await stat(logFile).catch(() => null))?.size ?? 0;
}

/** What was written behind `offset`, the last 4 kB of it, trimmed; empty when it cannot be read. Never throws. */
export async function logSince(logFile: string, offset: number): Promise<string> {
  try {
    await using file = await open(logFile, 'r');
    const from = Math.max(offset, (await file.stat()).size - tailBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(tailBytes), 0, tailBytes, from);
    return buffer.toString('utf8', 0, bytesRead).trim();
  } catch {
    return '';
  }
}
