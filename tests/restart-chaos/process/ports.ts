/**
 * Loopback ports that stay ours while the plane is down. A port is reserved by a lock file that every wave on this
 * machine respects, and was really bound once. Foreign programs do not know the lock, so that a start can still find
 * its port taken: the caller reserves another.
 *
 * Ports lie below 32768: above, any client on the machine may get one as its own end of a connection while the server
 * is down. Trap: two reclaimers of one stale lock; see `reclaimStale`.
 */
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomInt, randomUUID } from 'node:crypto';
import { HarnessError } from '../model/errors.ts';
import { identityKey, type ProcessIdentity } from '../model/fault.ts';
import { isAlive } from './identity.ts';
import { readProcess } from './table.ts';

/** A port that is ours until it is released or this process ends. */
export interface PortReservation {
  readonly port: number;
  /** Gives the port back; more than once does no harm. */
  release(): void;
}

const lowest = 20_000;
const highest = 31_999;
// A connection to a listening loopback port is made by the kernel at once, unless the backlog is full.
const connectMs = 500;

/**
 * Reserves a free port of `low`–`high` (both included; 20000–31999 when not given), starting at a random one. Rejects
 * with HarnessError when there is none.
 */
export async function reservePort(
  options: { readonly low?: number; readonly high?: number } = {},
): Promise<PortReservation> {
  const { low = lowest, high = highest } = options;
  const count = high - low + 1;
  const start = randomInt(count);
  const owner = readProcess(process.pid)?.identity;
  if (owner === undefined) throw new HarnessError('internal', 'this process is not in its own process table');
  const directory = lockDirectory();
  for (let tried = 0; tried < count; tried += 1) {
    const port = low + ((start + tried) % count);
    const lockFile = join(directory, `${port}.lock`);
    if (!takeLock(lockFile, owner)) continue;
    if ((await canBind(port)) && (await portRefuses(port))) {
      return reservation(port, () => releaseLock(lockFile, owner));
    }
    releaseLock(lockFile, owner);
  }
  throw new HarnessError(
    'internal',
    `no port of ${low}–${high} could be reserved: each is locked in ${directory} or in use; end what uses them ("ss -ltnp")`,
  );
}

/** Whether a connection to this loopback port is refused. False when one is made, or when nobody answers in 0.5 s. */
export function portRefuses(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: connectMs });
    const answer = (refused: boolean): void => {
      socket.destroy();
      resolve(refused);
    };
    socket.once('connect', () => answer(false));
    socket.once('timeout', () => answer(false));
    socket.once('error', (error: NodeJS.ErrnoException) => answer(error.code === 'ECONNREFUSED'));
  });
}

function reservation(port: number, unlock: () => void): PortReservation {
  let held = true;
  const release = (): void => {
    // Once only: by now the same port may be reserved again by this very process.
    if (held) unlock();
    held = false;
  };
  return { port, release };
}

function lockDirectory(): string {
  const directory = join(tmpdir(), 'restart-chaos-ports');
  if (mkdirSync(directory, { recursive: true }) !== undefined) {
    // Like the temporary directory itself: every user may lock, nobody may remove another's lock.
    chmodSync(directory, 0o1777);
  }
  return directory;
}

function takeLock(lockFile: string, owner: ProcessIdentity): boolean {
  return createLock(lockFile, owner) || (reclaimStale(lockFile) && createLock(lockFile, owner));
}

/** A link rather than O_EXCL alone: it appears together with its content, so that nobody ever reads a half lock. */
function createLock(lockFile: string, owner: ProcessIdentity): boolean {
  const draft = `${lockFile}.${randomUUID()}`;
  writeFileSync(draft, JSON.stringify(owner), { flag: 'wx' });
  try {
    linkSync(draft, lockFile);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Removes the lock of an owner that is gone. By rename, so that of two reclaimers one gets it; and what was taken is
 * looked at once more, because the other may have reserved the port in between: then its lock is put back.
 */
function reclaimStale(lockFile: string): boolean {
  if (!isStale(lockFile)) return false;
  const taken = `${lockFile}.${randomUUID()}`;
  try {
    renameSync(lockFile, taken);
  } catch {
    // Another was faster, or it is another user's lock in a sticky directory: not ours to take.
    return false;
  }
  const stale = isStale(taken);
  try {
    if (!stale) linkSync(taken, lockFile);
  } finally {
    rmSync(taken, { force: true });
  }
  return stale;
}

function isStale(lockFile: string): boolean {
  const owner = readOwner(lockFile);
  return owner !== null && !isAlive(owner);
}

function releaseLock(lockFile: string, owner: ProcessIdentity): void {
  const holder = readOwner(lockFile);
  if (holder !== null && identityKey(holder) === identityKey(owner)) rmSync(lockFile, { force: true });
}

function readOwner(lockFile: string): ProcessIdentity | null {
  try {
    const owner = JSON.parse(readFileSync(lockFile, 'utf8')) as Partial<ProcessIdentity>;
    return typeof owner.pid === 'number' && typeof owner.startTime === 'string' ? (owner as ProcessIdentity) : null;
  } catch {
    return null;
  }
}

function canBind(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
