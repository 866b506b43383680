/** The two ways a boot can fail, in words: with what came instead and the end of the server's log. */
import { open } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { HarnessError } from '../model/errors.ts';
import type { BootPhase } from '../model/event.ts';
import type { ChildGroup, ExitRecord } from '../process/child-group.ts';

export interface FailedBoot {
  readonly boot: number;
  readonly child: ChildGroup;
  readonly port: number;
  readonly logFile: string;
  readonly spawnedAtMs: number;
}

const shownLines = 20;
const tailBytes = 32 * 1024;

/** The server ended before it was ready. */
export async function describeDeath(boot: FailedBoot, exit: ExitRecord): Promise<HarnessError> {
  const how = exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;
  const afterMs = Math.round(exit.atMs - boot.spawnedAtMs);
  return new HarnessError(
    'server-exit-unasked',
    `boot ${boot.boot}: the server (pid ${boot.child.identity.pid}) ended with ${how} after ${afterMs} ms, before it was ready. ${await logEnd(boot.logFile)}`,
  );
}

/** The server lives, and was not where it should be in time. */
export async function describeDelay(
  boot: FailedBoot,
  delay: { readonly what: string; readonly withinMs: number; readonly phase: BootPhase; readonly seen: string },
): Promise<HarnessError> {
  return new HarnessError(
    'server-not-ready',
    `boot ${boot.boot}: the server (pid ${boot.child.identity.pid}, port ${boot.port}) was not ${delay.what} within ${delay.withinMs} ms; phase ${delay.phase}, last look: ${delay.seen}. ${await logEnd(boot.logFile)}`,
  );
}

async function logEnd(logFile: string): Promise<string> {
  const lines = await lastLines(logFile);
  if (lines.length === 0) return `Its log ${logFile} is empty.`;
  return `Last lines of ${logFile}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

async function lastLines(logFile: string): Promise<readonly string[]> {
  const file = await open(logFile, 'r').catch(() => null);
  if (file === null) return [];
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - tailBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    const text = stripVTControlCharacters(buffer.subarray(0, bytesRead).toString('utf8'));
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(-shownLines);
  } finally {
    await file.close();
  }
}
