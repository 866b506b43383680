/**
 * One maker of one thing in the cache at a time, also among waves of different processes: a file that names its holder by
 * pid and start time. A file whose holder is gone is taken over.
 *
 * Trap: two waiters can see the same dead holder. Taking over is a rename, which only one of them can do, and what
 * was renamed away is looked at again, so that a lock taken in between is put back.
 */
import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HarnessError } from '../model/errors.ts';
import { identifyProcess } from '../process/identity.ts';
import { sleep } from '../process/wait.ts';

export interface CacheLockOptions {
  /** Where the thing will be; the lock file is beside it, `<name>.lock`. */
  readonly directory: string;
  readonly name: string;
  readonly progress: (line: string) => void;
  readonly signal?: AbortSignal;
}

const waitLimitMs = 20 * 60_000;
const pollIntervalMs = 250;

/**
 * Runs the work while holding the lock, and gives it back whatever happens. Throws HarnessError
 * `target-install-failed` when another process holds it for more than 20 minutes, `interrupted` when the signal comes
 * while waiting.
 */
export async function withCacheLock<T>(options: CacheLockOptions, work: () => Promise<T>): Promise<T> {
  const file = join(options.directory, `${options.name}.lock`);
  const mine = describeHolder();
  await acquire(file, mine, options);
  try {
    return await work();
  } finally {
    if ((await readHolder(file)) === mine) await rm(file, { force: true });
  }
}

async function acquire(file: string, mine: string, options: CacheLockOptions): Promise<void> {
  const startedAtMs = performance.now();
  let told = false;
  while (!(await tryTake(file, mine))) {
    const holder = await readHolder(file);
    if (holder !== null && !isHeld(holder)) {
      await removeStale(file, holder);
      continue;
    }
    if (!told) options.progress(`another wave prepares ${options.name} (process ${pidOf(holder)}); waiting for it`);
    told = true;
    if (performance.now() - startedAtMs > waitLimitMs) throw tooLong(file, holder);
    await sleep(pollIntervalMs, options.signal);
  }
}

function describeHolder(): string {
  const startTime = identifyProcess(process.pid)?.startTime ?? 'unknown';
  return JSON.stringify({ pid: process.pid, startTime, token: randomBytes(6).toString('hex') });
}

/** The file appears with its content or not at all: written aside, then linked to its name. */
async function tryTake(file: string, mine: string): Promise<boolean> {
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(aside, mine);
  try {
    await link(aside, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

async function readHolder(file: string): Promise<string | null> {
  return await readFile(file, 'utf8').catch(() => null);
}

function isHeld(holder: string): boolean {
  const { pid, startTime } = parseHolder(holder);
  return pid !== null && identifyProcess(pid)?.startTime === startTime;
}

function pidOf(holder: string | null): string {
  return String((holder === null ? null : parseHolder(holder).pid) ?? 'unknown');
}

function parseHolder(holder: string): { readonly pid: number | null; readonly startTime: string | null } {
  try {
    const value = JSON.parse(holder) as { pid?: unknown; startTime?: unknown };
    return {
      pid: typeof value.pid === 'number' ? value.pid : null,
      startTime: typeof value.startTime === 'string' ? value.startTime : null,
    };
  } catch {
    return { pid: null, startTime: null };
  }
}

async function removeStale(file: string, stale: string): Promise<void> {
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  const moved = await rename(file, aside).then(
    () => true,
    () => false,
  );
  if (!moved) return;
  if ((await readHolder(aside)) !== stale) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

function tooLong(file: string, holder: string | null): HarnessError {
  return new HarnessError(
    'target-install-failed',
    `waited ${waitLimitMs / 60_000} minutes for process ${pidOf(holder)}, which holds ${file}. If that process is not a wave, end it or remove the file.`,
  );
}
