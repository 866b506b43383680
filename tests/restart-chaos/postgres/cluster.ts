/**
 * One Postgres server as a child of the harness: started, killed, stopped and started again on the same data directory.
 * What is in its databases is nobody's business here.
 * Traps: each backend leads a session of its own, so that a signal to the postmaster's group reaches the postmaster
 * only; and a backend writes its title over the memory that held its environment, so that no marker finds it. Backends
 * are found as children of the postmaster, and that only while it lives (postmaster-tree.ts).
 */
import type { ProcessIdentity } from '../model/fault.ts';
import { invariant } from '../model/invariant.ts';
import type { ExitRecord } from '../process/child-group.ts';
import { signalProcess } from '../process/identity.ts';
import { withinTime } from '../process/wait.ts';
import { addressOf, type DatabaseAddress } from './address.ts';
import { bootPostmaster, clusterUrl } from './boot.ts';
import type { ClusterOptions } from './boot.ts';
import { awaitGone, signalTree } from './postmaster-tree.ts';
import { removeLeftSegment } from './shared-memory.ts';

export { cloneCluster, initCluster } from './data-directory.ts';
export type { ClusterOptions } from './boot.ts';

/** A server on one data directory and port, through all its restarts. */
export interface Cluster {
  readonly port: number;
  readonly dataDirectory: string;
  /** The cheapest way to it. */
  readonly address: DatabaseAddress;
  /** From the latest start to its first answered statement. */
  readonly readyMs: number;
  /** The latest postmaster, dead or alive. */
  identity(): ProcessIdentity;
  /** How the latest postmaster ended; null while it runs. */
  exit(): ExitRecord | null;
  /** The end of the latest postmaster: ask again after each start. Never rejects. */
  readonly exited: Promise<ExitRecord>;
  url(database: string): string;
  /**
   * SIGKILL, SIGSTOP and SIGCONT go to the postmaster and all its backends, every other signal to the postmaster only,
   * which passes it on in its own way. Answers the processes that got it; empty when there was none.
   */
  signal(signal: NodeJS.Signals): readonly ProcessIdentity[];
  /**
   * A crash: SIGKILL for all at once, then waits until all are gone and nothing holds the data directory. Throws
   * HarnessError('process-not-ended') when one does not go within 10 s.
   */
  kill(): Promise<ExitRecord & { readonly killed: readonly ProcessIdentity[] }>;
  /**
   * Fast shutdown: SIGINT, and SIGKILL for all after 15 s, which the record then shows. Also the way to end with a
   * cluster that is dead already: it removes what a killed postmaster left behind outside the data directory.
   */
  stop(): Promise<ExitRecord>;
  /** Starts it again after its end, with crash recovery where that is due. Throws as startCluster does. */
  start(): Promise<number>;
}

// A fast shutdown writes one checkpoint: 36 to 50 ms here. Backends that do not let go are what takes longer.
const stopTimeoutMs = 15_000;
const toAll: readonly string[] = ['SIGKILL', 'SIGSTOP', 'SIGCONT'];

/**
 * Starts a server and resolves when it serves. Throws HarnessError('postgres-not-ready'), with what its log says, when
 * it ends or does not serve within 60 s; nothing of it is left then.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  let latest = await bootPostmaster(options);
  let struck: readonly ProcessIdentity[] = [];
  const postmaster = (): ProcessIdentity => latest.child.identity;

  const signal = (name: NodeJS.Signals): readonly ProcessIdentity[] => {
    if (!toAll.includes(name)) return signalProcess(postmaster(), name) ? [postmaster()] : [];
    const reached = signalTree(postmaster(), name);
    if (name === 'SIGKILL') struck = [...struck, ...reached];
    return reached;
  };
  const kill: Cluster['kill'] = async () => {
    const killed = signal('SIGKILL');
    await awaitGone(killed);
    return { ...(await latest.child.exited), killed };
  };
  return {
    port: options.port,
    dataDirectory: options.dataDirectory,
    address: addressOf(options.dataDirectory, options.port),
    get readyMs() {
      return latest.readyMs;
    },
    identity: postmaster,
    exit: () => latest.child.exit(),
    get exited() {
      return latest.child.exited;
    },
    url: (database) => clusterUrl(options.port, database),
    signal,
    kill,
    stop: async () => {
      // One that was stopped by SIGSTOP could not obey.
      signal('SIGCONT');
      signal('SIGINT');
      const exit = (await withinTime(latest.child.exited, stopTimeoutMs)) ?? (await kill());
      if (exit.code !== 0) await removeLeftSegment(options.dataDirectory);
      return exit;
    },
    start: async () => {
      invariant(latest.child.exit() !== null, `Postgres on port ${options.port} still runs and cannot be started`);
      // Backends outlive the exit of a killed postmaster by some milliseconds.
      await awaitGone(struck);
      struck = [];
      latest = await bootPostmaster(options);
      return latest.readyMs;
    },
  };
}
