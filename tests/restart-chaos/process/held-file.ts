/**
 * A file that one living process holds at a time, also among harnesses: it names its holder by pid and start time. One
 * whose holder is gone is taken over.
 *
 * Trap: several can see the same dead holder. If each removed the file, the second would remove the file of the first;
 * so that to remove it one must hold another.
 */
import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { invariant } from '../model/invariant.ts';
import { identifyProcess } from './identity.ts';

export interface HeldFile {
  /** Gives it back. Never throws for a file that somebody else removed. */
  release(): Promise<void>;
}

/**
 * Takes the file for this process. Null while a living process, this one included, holds it or is just taking it over. Throws
 * what the file system says, also of a file that cannot be read: nobody knows then who holds it.
 */
export async function tryHold(file: string): Promise<HeldFile | null> {
  // Read first: whoever waits asks often, and to read is the cheapest question.
  for (let holder = await readHolder(file); holder !== null; holder = await readHolder(file)) {
    if (isHeld(holder) || !(await removeStale(file, holder))) return null;
  }
  const mine = describeHolder();
  if (!(await tryTake(file, mine))) return null;
  return {
    release: async () => {
      if ((await readHolder(file)) === mine) await rm(file, { force: true });
    },
  };
}

/** Process id of who holds the file, for people; `unknown` when nobody does any more. */
export async function holderOf(file: string): Promise<string> {
  const holder = await readHolder(file);
  return String((holder === null ? null : parseHolder(holder).pid) ?? 'unknown');
}

function describeHolder(): string {
  const identity = identifyProcess(process.pid);
  // Written without it, everybody would take us for gone.
  invariant(identity !== null, 'the process table shows this process');
  return JSON.stringify({ ...identity, token: randomBytes(6).toString('hex') });
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
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function isHeld(holder: string): boolean {
  const { pid, startTime } = parseHolder(holder);
  return pid !== null && identifyProcess(pid)?.startTime === startTime;
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

/**
 * Whoever holds the second file is alone with the first: its holder is gone, and nobody else removes what it left. False
 * when somebody else is about it.
 */
async function removeStale(file: string, stale: string): Promise<boolean> {
  const guard = await tryHold(`${file}.over`);
  if (guard === null) return false;
  try {
    if ((await readHolder(file)) === stale) await rm(file, { force: true });
    return true;
  } finally {
    await guard.release();
  }
}
