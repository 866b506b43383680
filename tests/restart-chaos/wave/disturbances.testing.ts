/** A real tap in front of a real Postgres, with a client where the plane would be, and the guardian that a plane needs. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { preparePostgres } from '../postgres/binaries.ts';
import { initCluster, startCluster, type Cluster } from '../postgres/cluster.ts';
import { connectTruth, type TruthConnection } from '../postgres/query.ts';
import { startTap, type TapHandle } from '../postgres/tap/start-tap.ts';
import { isolatedEnvironment } from '../process/environment.ts';
import { startGuardian, type Guardian } from '../process/guardian.ts';
import { reservePort, type PortReservation } from '../process/ports.ts';
import { processesOfWave } from '../process/table.ts';
import { createClock } from './clock.ts';

export const clock = createClock();
export let directory: string;
export let wave: string;
export let cluster: Cluster;
export let guardian: Guardian;
let ports: readonly PortReservation[];
export let tap: TapHandle;
/** As the plane is connected: through the tap. */
export let client: TruthConnection;

/** Call it once in a test file: a database for all of its tests, and a new tap and client for each. */
export function useDisturbanceStage(): void {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'restart-chaos-disturb-'));
    await chmod(directory, 0o711);
    wave = `test-${directory.slice(-6)}`;
    ports = [await reservePort(), await reservePort(), await reservePort()];
    const binaries = await preparePostgres(join(directory, 'cache'));
    const dataDirectory = join(directory, 'pgdata');
    await initCluster(binaries, dataDirectory);
    const logFile = join(directory, 'postgres.log');
    const env = isolatedEnvironment({ RESTART_CHAOS_WAVE: wave });
    cluster = await startCluster({ binaries, dataDirectory, port: portOf(0), logFile, env });
    const limitMs = 600_000;
    guardian = await startGuardian({
      wave,
      runDirectory: directory,
      stateFile: join(directory, 'guardian.json'),
      limitMs,
    });
  }, 60_000);

  afterAll(async () => {
    await guardian.dismiss();
    await cluster.stop();
    expect(processesOfWave(wave)).toEqual([]);
    for (const port of ports) port.release();
    await rm(directory, { recursive: true, force: true });
  }, 60_000);

  beforeEach(async () => {
    const ignore = (): void => undefined;
    tap = await startTap({
      port: portOf(1),
      database: cluster.address,
      housekeepingTables: [],
      clock,
      watcher: { wrote: ignore, held: ignore, missed: ignore, protocolError: ignore },
      onLost: ignore,
    });
    client = connectTruth(cluster.url('postgres').replace(`:${cluster.port}/`, `:${tap.port}/`), 2_000);
    await client.query('select 1');
  });

  afterEach(async () => {
    await client.close();
    await tap.close();
  });
}

/** The first belongs to the database, the second to the tap; the third is free. */
export function portOf(index: number): number {
  return ports[index]?.port ?? 0;
}
