/**
 * A long-lived child of the harness: leader of its own session and group, reaped by us, its output in a file. The plane
 * and its Postgres run like this. No restart, no readiness, no limit in time: that is the caller's.
 *
 * The output goes to the file by descriptor, not through us, so that it survives the harness and a full pipe can never
 * stop the child. Trap: SIGKILL of the leader leaves the rest of the group running; the group is signalled separately.
 */
// node:child_process rather than execa: with file descriptors and no promise on the output, execa adds nothing here
// but its exit hook, which `detached` switches off anyway.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { HarnessError, errorText } from '../model/errors.ts';
import type { ProcessIdentity } from '../model/fault.ts';
import { signalGroup, signalProcess } from './identity.ts';
import { readProcess } from './table.ts';

/** What to start, and as whom. */
export interface ChildGroupOptions {
  readonly argv: readonly string[];
  /** The whole environment; nothing of the harness's own is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Opened for appending by this process, so that the child needs no right to it. */
  readonly logFile: string;
  /** Needs root; both or neither. */
  readonly uid?: number;
  readonly gid?: number;
}

/** How a child ended, as its parent was told by the kernel. */
export interface ExitRecord {
  readonly signal: string | null;
  readonly code: number | null;
  /** `performance.now()` of this process when the exit was seen. */
  readonly atMs: number;
}

/** A started child. */
export interface ChildGroup {
  readonly identity: ProcessIdentity;
  /** Resolves after the child was reaped, so that nothing of it, no zombie either, is left; never rejects. */
  readonly exited: Promise<ExitRecord>;
  /** The same without waiting; null while it runs. */
  exit(): ExitRecord | null;
  /**
   * `leader`: this process only; `group`: every member, also when the leader is gone. False when nobody was there.
   * Throws HarnessError(`process-not-ended`) when the system refuses.
   */
  signal(signal: NodeJS.Signals, to: 'leader' | 'group'): boolean;
}

/**
 * Starts the child and resolves as soon as it exists; that it does what it should is not known yet. Rejects with
 * HarnessError when the program, directory or log file cannot be used, or the user may not be changed.
 */
export async function startChildGroup(options: ChildGroupOptions): Promise<ChildGroup> {
  const child = await spawnDetached(options);
  // Read before the event loop can reap the child, so that even one that ended at once has an identity.
  const identity = readProcess(child.pid ?? 0)?.identity;
  if (identity === undefined) {
    throw new HarnessError(
      'internal',
      `${describe(options)} was started as pid ${child.pid}, which the process table does not show`,
    );
  }
  let record: ExitRecord | null = null;
  const exited = new Promise<ExitRecord>((resolve) => {
    child.once('exit', (code, signal) => {
      record = { code, signal, atMs: performance.now() };
      resolve(record);
    });
  });
  return {
    identity,
    exited,
    exit: () => record,
    signal: (signal, to) => (to === 'leader' ? signalProcess(identity, signal) : signalGroup(identity, signal)),
  };
}

async function spawnDetached(options: ChildGroupOptions): Promise<ChildProcess> {
  const [program = '', ...args] = options.argv;
  let log: number | null = null;
  try {
    log = openSync(options.logFile, 'a');
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...options.env },
      detached: true,
      stdio: ['ignore', log, log],
      ...(options.uid === undefined ? {} : { uid: options.uid }),
      ...(options.gid === undefined ? {} : { gid: options.gid }),
    });
    const failure = new Promise<unknown>((resolve) => child.on('error', resolve));
    // Without a pid the program was not loaded, and `error` follows.
    if (child.pid === undefined) throw await failure;
    return child;
  } catch (error) {
    throw notStarted(options, error);
  } finally {
    if (log !== null) closeSync(log);
  }
}

function notStarted(options: ChildGroupOptions, error: unknown): HarnessError {
  const user = options.uid === undefined ? '' : ` as user ${options.uid}`;
  return new HarnessError(
    'internal',
    `could not start ${describe(options)}${user} in ${options.cwd}, log ${options.logFile}: ${errorText(error)}; ` +
      'check that program, directory and log file exist and may be used (a missing directory is reported like a missing program)',
    { cause: error },
  );
}

function describe(options: ChildGroupOptions): string {
  return `"${options.argv.join(' ')}"`;
}
