/**
 * Starts a postmaster once and waits until it serves. Used by cluster.ts, first and after each kill.
 * When it does not serve, nothing of it is left and the error carries what its log says.
 * Trap: the port may be another server's; then ours ends, and the other one must not be taken for it.
 */
import { HarnessError, errorText } from '../model/errors.ts';
import type { ProcessIdentity } from '../model/fault.ts';
import type { ChildGroup } from '../process/child-group.ts';
import { startChildGroup } from '../process/child-group.ts';
import { sleep, waitUntil } from '../process/wait.ts';
import type { PostgresBinaries } from './binaries.ts';
import { superuser } from './data-directory.ts';
import { logSince, logSize } from './log-tail.ts';
import { awaitGone, signalTree } from './postmaster-tree.ts';
import { askPostgres } from './readiness.ts';
import { postgresArguments } from './settings.ts';

/** What a server is started with; the same at every start of one cluster. */
export interface ClusterOptions {
  readonly binaries: PostgresBinaries;
  /** Made by initCluster or cloneCluster. */
  readonly dataDirectory: string;
  readonly port: number;
  /** Appended to. */
  readonly logFile: string;
  /** The whole environment of the server. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Called with every postmaster as soon as its process exists, long before it serves: the time for a guard, because it
   * soon overwrites the environment that marks it. Also for a start that then fails, whose process is gone by the error.
   */
  readonly onSpawn?: (postmaster: ProcessIdentity) => void;
}

/** A postmaster that serves. */
export interface BootedPostmaster {
  readonly child: ChildGroup;
  /** From its start to the first answered statement. */
  readonly readyMs: number;
}

// Crash recovery of 500 small transactions took 0.16 s here; a wave writes some hundred times that at most.
const readyTimeoutMs = 60_000;
// Each look costs the server a fork; 10 of them per boot disappear in its noise.
const lookIntervalMs = 15;
// Backends that lost their postmaster go within a second, unless they are in a long statement.
const heldTimeoutMs = 10_000;
const heldIntervalMs = 100;
const heldPattern = /pre-existing shared memory block|lock file "postmaster\.pid" already exists/;

/** Address of one database on the server of that port. */
export function clusterUrl(port: number, database: string): string {
  return `postgres://${superuser}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

/**
 * Starts and waits. Throws HarnessError('postgres-not-ready') when it ends or does not serve within 60 s. Tries again,
 * for 10 s at most, while the rest of a postmaster that somebody else killed still holds the data directory.
 */
export async function bootPostmaster(options: ClusterOptions): Promise<BootedPostmaster> {
  const triesEndAtMs = performance.now() + heldTimeoutMs;
  for (;;) {
    const logFrom = await logSize(options.logFile);
    try {
      return await bootOnce(options);
    } catch (error) {
      const log = await logSince(options.logFile, logFrom);
      if (!heldPattern.test(log) || performance.now() > triesEndAtMs) throw notReady(options, error, log);
      await sleep(heldIntervalMs);
    }
  }
}

async function bootOnce(options: ClusterOptions): Promise<BootedPostmaster> {
  const startedAtMs = performance.now();
  const child = await startChildGroup({
    argv: [options.binaries.postgres, ...postgresArguments(options)],
    env: options.env,
    cwd: options.dataDirectory,
    logFile: options.logFile,
    ...options.binaries.user,
  });
  try {
    options.onSpawn?.(child.identity);
    await awaitServing(child, options.port);
    return { child, readyMs: performance.now() - startedAtMs };
  } catch (error) {
    await awaitGone(signalTree(child.identity, 'SIGKILL'));
    await child.exited;
    throw error;
  }
}

async function awaitServing(child: ChildGroup, port: number): Promise<void> {
  const ended = child.exited.then(({ code, signal }) => ({ notYet: `it ended with ${signal ?? `exit code ${code}`}` }));
  const reason = await waitUntil<string>({
    what: `Postgres on port ${port} to serve`,
    probe: async () => {
      const answer = await Promise.race([ended, askPostgres(clusterUrl(port, 'postgres'))]);
      if (child.exit() !== null) return (await ended).notYet;
      if ('notYet' in answer) throw new Error(answer.notYet);
      if (answer.postmasterPid === child.identity.pid) return 'serves';
      throw new Error(`the server that answers is process ${answer.postmasterPid}, not ${child.identity.pid}`);
    },
    timeoutMs: readyTimeoutMs,
    intervalMs: lookIntervalMs,
  });
  if (reason !== 'serves') throw new Error(reason);
}

function notReady(options: ClusterOptions, error: unknown, log: string): HarnessError {
  const advice = /could not bind|could not create any TCP\/IP sockets/.test(log)
    ? `port ${options.port} is taken by another program; reserve another one, or end it ("ss -ltnp sport = :${options.port}"). `
    : '';
  return new HarnessError(
    'postgres-not-ready',
    `Postgres on port ${options.port} with ${options.dataDirectory} did not start: ${advice}${errorText(error)}; log ${options.logFile}: ${log || 'empty'}`,
    { cause: error },
  );
}
