/** A real Postgres with a tap before it, for tests: what the tap tells is collected, and everything is closed at the end. */
import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HarnessError } from '../../model/errors.ts';
import type { WriteTransaction } from '../../model/tape.ts';
import { isolatedEnvironment } from '../../process/environment.ts';
import { portRefuses, reservePort } from '../../process/ports.ts';
import { waitUntil } from '../../process/wait.ts';
import { preparePostgres } from '../binaries.ts';
import { initCluster, startCluster, type Cluster } from '../cluster.ts';
import { startTap, type TapHandle } from './start-tap.ts';
import type { HeldCommit, TapWatcher } from './tap.ts';

export const testPorts = { low: 24_400, high: 24_900 };

/** Everything that a tap told, in order. */
export interface Told {
  readonly wrote: WriteTransaction[];
  readonly held: HeldCommit[];
  readonly missed: string[];
  readonly errors: { readonly connection: number; readonly side: 'client' | 'server'; readonly reason: string }[];
  readonly lost: HarnessError[];
}

/** Nothing yet, and a watcher that fills it. */
export function collectTold(): { readonly told: Told; readonly watcher: TapWatcher } {
  const told: Told = { wrote: [], held: [], missed: [], errors: [], lost: [] };
  return {
    told,
    watcher: {
      wrote: (transaction) => void told.wrote.push(transaction),
      held: (commit) => void told.held.push(commit),
      missed: (rule) => void told.missed.push(rule.id),
      protocolError: (connection, side, reason) => void told.errors.push({ connection, side, reason }),
    },
  };
}

export interface TapStage {
  readonly cluster: Cluster;
  readonly tap: TapHandle;
  readonly told: Told;
  readonly directory: string;
  readonly tapUrl: string;
  readonly directUrl: string;
  /** Resolves with what the tap wrote down since the last call, once `count` transactions are there. */
  tape(count: number): Promise<readonly WriteTransaction[]>;
  /** Ends everything; throws when something of it is left. */
  close(): Promise<void>;
}

/** Resolves when clients can connect. */
export async function stageTap(housekeepingTables: readonly string[] = []): Promise<TapStage> {
  const directory = await mkdtemp(join(tmpdir(), 'restart-chaos-tap-'));
  await chmod(directory, 0o711);
  const binaries = await preparePostgres(join(directory, 'cache'));
  const dataDirectory = join(directory, 'data');
  await initCluster(binaries, dataDirectory);
  const [own, database] = [await reservePort(testPorts), await reservePort(testPorts)];
  const logFile = join(directory, 'postgres.log');
  const cluster = await startCluster({
    binaries,
    dataDirectory,
    port: database.port,
    logFile,
    env: isolatedEnvironment({}),
  });
  const { told, watcher } = collectTold();
  const tap = await startTap({
    port: own.port,
    database: cluster.address,
    housekeepingTables,
    clock: { nowMs: () => performance.now() },
    watcher,
    onLost: (error) => void told.lost.push(error),
  });
  const directUrl = cluster.url('postgres');
  let taken = 0;
  return {
    cluster,
    tap,
    told,
    directory,
    directUrl,
    tapUrl: directUrl.replace(`:${database.port}/`, `:${own.port}/`),
    tape: async (count) => {
      const upTo = taken + count;
      await eventually(`${count} transactions on the tape`, () => told.wrote.length >= upTo);
      const since = told.wrote.slice(taken);
      taken = told.wrote.length;
      return since;
    },
    close: async () => {
      await tap.close();
      await cluster.stop();
      if (!(await portRefuses(own.port))) throw new Error(`the port of the tap, ${own.port}, is still open`);
      own.release();
      database.release();
      if (execFileSync('ps', ['-axww', '-o', 'args='], { encoding: 'utf8' }).includes(directory)) {
        throw new Error(`a process of ${directory} is left`);
      }
      await rm(directory, { recursive: true });
    },
  };
}

/** Waits for what must become true soon. */
export async function eventually(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  timeoutMs = 10_000,
): Promise<void> {
  await waitUntil({ what, probe: async () => ((await isTrue()) ? true : null), timeoutMs, intervalMs: 5 });
}
