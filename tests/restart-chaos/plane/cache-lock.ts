/** One maker of one thing in the cache at a time, also among waves of different processes (process/held-file.ts). */
import { join } from 'node:path';
import { errorText, HarnessError, UsageError } from '../model/errors.ts';
import { holderOf, tryHold, type HeldFile } from '../process/held-file.ts';
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
 * while waiting; UsageError when the lock cannot be read or made.
 */
export async function withCacheLock<T>(options: CacheLockOptions, work: () => Promise<T>): Promise<T> {
  const lock = await acquire(join(options.directory, `${options.name}.lock`), options);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function acquire(file: string, options: CacheLockOptions): Promise<HeldFile> {
  const startedAtMs = performance.now();
  let told = false;
  for (;;) {
    const { lock, holder } = await ask(file);
    if (lock !== null) return lock;
    if (!told) options.progress(`another wave prepares ${options.name} (process ${holder}); waiting for it`);
    told = true;
    if (performance.now() - startedAtMs > waitLimitMs) throw tooLong(file, holder);
    await sleep(pollIntervalMs, options.signal);
  }
}

/** The lock, or who holds it. */
async function ask(file: string): Promise<{ readonly lock: HeldFile | null; readonly holder: string }> {
  try {
    const lock = await tryHold(file);
    return { lock, holder: lock === null ? await holderOf(file) : 'ours' };
  } catch (error) {
    throw new UsageError([
      `the lock ${file} cannot be used: ${errorText(error)}. Remove it if no wave runs, or give another --cache <directory>.`,
    ]);
  }
}

function tooLong(file: string, holder: string): HarnessError {
  return new HarnessError(
    'target-install-failed',
    `waited ${waitLimitMs / 60_000} minutes for process ${holder}, which holds ${file}. If that process is not a wave, end it or remove the file.`,
  );
}
