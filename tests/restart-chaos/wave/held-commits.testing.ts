/** A real tap in front of a real Postgres, with a task's agent known to it and a client where the plane would be. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { preparePostgres } from '../postgres/binaries.ts';
import { initCluster, startCluster, type Cluster } from '../postgres/cluster.ts';
import { connectTruth, type TruthConnection } from '../postgres/query.ts';
import { startTap, type TapHandle } from '../postgres/tap/start-tap.ts';
import { isolatedEnvironment } from '../process/environment.ts';
import { reservePort } from '../process/ports.ts';
import { processesOfWave } from '../process/table.ts';
import { createClock } from './clock.ts';
import { CommitWaits } from './commit-waits.ts';

interface TapBench {
  readonly truth: TruthConnection;
  /** A new tap with nobody waiting and nothing in the table `runs`; the one before is closed. */
  open(): Promise<OpenBench>;
  close(): Promise<void>;
}

interface OpenBench {
  readonly tap: TapHandle;
  /** Whoever is told of held commits; can be changed, as when a waiter is gone. */
  commits: CommitWaits;
  readonly plane: pg.Client;
  /** Inserts a run of the task t01; resolves with what its client saw. */
  insert(id: string): Promise<'answered' | 'cut'>;
}

export let stage: TapBench;
export let bench: OpenBench;

/** Call it once in a test file: a database for all of its tests, and a new tap with nobody waiting for each. */
export function useTapBench(): void {
  beforeAll(async () => {
    stage = await openTapBench();
  }, 60_000);
  afterAll(() => stage.close(), 60_000);
  beforeEach(async () => {
    bench = await stage.open();
  });
}

/** `close` also asserts that nothing is left. */
async function openTapBench(): Promise<TapBench> {
  const directory = await mkdtemp(join(tmpdir(), 'restart-chaos-held-'));
  await chmod(directory, 0o711);
  const wave = `test-${directory.slice(-6)}`;
  const ports = [await reservePort(), await reservePort()] as const;
  const binaries = await preparePostgres(join(directory, 'cache'));
  const dataDirectory = join(directory, 'pgdata');
  await initCluster(binaries, dataDirectory);
  const env = isolatedEnvironment({ RESTART_CHAOS_WAVE: wave });
  const logFile = join(directory, 'postgres.log');
  const cluster = await startCluster({ binaries, dataDirectory, port: ports[0].port, logFile, env });
  const truth = connectTruth(cluster.url('postgres'));
  await truth.query('create table runs (id text primary key, agent_id text, status text)');
  let closeLast = async (): Promise<void> => undefined;
  return {
    truth,
    open: async () => {
      await closeLast();
      await truth.query('delete from runs');
      const { bench, close } = await openBench(cluster, ports[1].port);
      closeLast = close;
      return bench;
    },
    close: async () => {
      await closeLast();
      await truth.close();
      await cluster.stop();
      expect(processesOfWave(wave)).toEqual([]);
      for (const port of ports) port.release();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function openBench(
  cluster: Cluster,
  port: number,
): Promise<{ readonly bench: OpenBench; readonly close: () => Promise<void> }> {
  const commits = new CommitWaits();
  const tap = await startTap({
    port,
    database: cluster.address,
    housekeepingTables: [],
    clock: createClock(),
    onLost: (error) => expect.fail(error.message),
    watcher: {
      wrote: () => undefined,
      held: (commit) => bench.commits.held(commit),
      missed: (rule, because) => bench.commits.missed(rule.id, because),
      protocolError: (_, side, reason) => expect.fail(`${side}: ${reason}`),
    },
  });
  commits.connect(tap);
  await tap.ask({ do: 'know', id: 'agent-1', task: 't01' });
  const plane = new pg.Client({ connectionString: cluster.url('postgres').replace(`:${cluster.port}/`, `:${port}/`) });
  plane.on('error', () => undefined);
  await plane.connect();
  const bench: OpenBench = {
    tap,
    commits,
    plane,
    insert: (id) =>
      plane.query('insert into runs (id, agent_id, status) values ($1, $2, $3)', [id, 'agent-1', 'queued']).then(
        () => 'answered',
        () => 'cut',
      ),
  };
  const close = async (): Promise<void> => {
    await plane.end().catch(() => undefined);
    await tap.close();
  };
  return { bench, close };
}
