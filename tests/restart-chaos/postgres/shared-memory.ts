/**
 * Every postmaster makes one tiny System V segment that proves that its data directory is in use. A killed one cannot
 * remove it; only the next start on the same directory would. For a directory that is not started again this does.
 * Trap: the kernel allows some thousand segments per machine, and then no Postgres starts any more.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { runBounded } from '../process/bounded-command.ts';
import { isolatedEnvironment } from '../process/environment.ts';

/**
 * Removes the segment that a dead postmaster left, if it left one. Answers its id, null when there was none to remove
 * (a clean stop removes postmaster.pid and the segment). Call it only when every process of that cluster is gone.
 */
export async function removeLeftSegment(dataDirectory: string): Promise<number | null> {
  const lock = await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8').catch(() => '');
  // Line 7 is "<key> <id>", as pidfile.h has it.
  const id = Number(lock.split('\n')[6]?.trim().split(/\s+/)[1] ?? Number.NaN);
  if (!Number.isInteger(id)) return null;
  const removal = await runBounded({
    argv: ['ipcrm', '-m', String(id)],
    cwd: tmpdir(),
    env: isolatedEnvironment({}),
    timeoutMs: 5_000,
    outputLimitBytes: 4_096,
  }).catch(() => null);
  return removal?.exitCode === 0 ? id : null;
}
