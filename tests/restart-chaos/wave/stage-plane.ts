/** Starts the database and the first boot of the server, and registers how both end. */
import { join } from 'node:path';
import type { Redactor } from '../evidence/redaction.ts';
import { HarnessError } from '../model/errors.ts';
import type { ServerPlace } from '../plane/description.ts';
import type { InstalledTarget } from '../plane/install.ts';
import { planeOf } from '../plane/planes.ts';
import { startServer, type PlaneServer } from '../plane/server.ts';
import type { PostgresBinaries } from '../postgres/binaries.ts';
import { clusterUrl } from '../postgres/boot.ts';
import { startCluster, type Cluster } from '../postgres/cluster.ts';
import { createDatabase } from '../postgres/query.ts';
import { isolatedEnvironment } from '../process/environment.ts';
import type { Guardian } from '../process/guardian.ts';
import { reservePort, type PortReservation } from '../process/ports.ts';
import type { CommitWaits } from './commit-waits.ts';
import { countPlanes } from './count-planes.ts';
import { endStrays } from './end-strays.ts';
import type { Gate } from './gate.ts';
import type { TaskBook } from './open-task.ts';
import { PlaneControl } from './plane-control.ts';
import type { RunDirectory } from './run-directory.ts';
import { stageTap } from './stage-tap.ts';
import type { WaveContext } from './stage.ts';
import type { Teardown } from './teardown.ts';
import { planeDatabase } from './template.ts';
import type { WriteMarks } from './write-marks.ts';

/** The part of a wave that its plane needs. */
export type PlaneContext = Pick<
  WaveContext,
  'wave' | 'numbers' | 'options' | 'testHooks' | 'emit' | 'clock' | 'onLost'
> & {
  /** Where the tape goes. */
  readonly tape: { readonly path: string; readonly redact: Pick<Redactor, 'json'> };
};

export interface StagePlaneOptions {
  readonly context: PlaneContext;
  readonly installed: InstalledTarget;
  readonly binaries: PostgresBinaries;
  readonly run: RunDirectory;
  readonly guardian: Guardian;
  readonly agentSecret: string;
  readonly tasks: TaskBook;
  readonly gate: Gate;
  readonly commits: CommitWaits;
  readonly marks: WriteMarks;
  readonly teardown: Teardown;
}

/** Returns a plane that is ready for requests. */
export async function stagePlane(options: StagePlaneOptions): Promise<PlaneControl> {
  const { context, installed, run, guardian, gate, tasks, commits, marks, teardown } = options;
  const { numbers, emit, clock, onLost } = context;
  const ports = [await reservePort(), await reservePort(), await reservePort()] as const;
  teardown.push('release ports', async () => {
    for (const port of ports) port.release();
    return ports.map(({ port }) => port).join(', ');
  });
  const cluster = await stageCluster(options, ports[0]);
  if (installed.sizeBytes === 0) await createDatabase(cluster.url('postgres'), planeDatabase);
  const tap = context.options.tap
    ? await stageTap({ context, port: ports[2].port, database: cluster.address, commits, marks, teardown })
    : null;
  if (tap !== null) commits.connect(tap);
  const databaseUrl = clusterUrl(tap?.port ?? cluster.port, planeDatabase);
  const spawnServer = serverSpawner(options, databaseUrl, ports[1].port);
  const control = new PlaneControl({ emit, clock, numbers, cluster, tap, guardian, gate, spawnServer, onLost });
  teardown.push('end plane', () => endPlane(control, { wave: context.wave, tasks, run }));
  await (await control.startServer()).awaitReady(numbers.readyLimitMs);
  await countPlanes({ control, emit });
  return control;
}

async function stageCluster(options: StagePlaneOptions, port: PortReservation): Promise<Cluster> {
  let cluster: Cluster | null = null;
  options.teardown.push('end database', async () => {
    if (cluster === null) return 'never started';
    const exit = await cluster.stop();
    return `exit ${exit.signal ?? exit.code}`;
  });
  cluster = await startCluster({
    binaries: options.binaries,
    dataDirectory: options.run.dataDirectory,
    port: port.port,
    logFile: join(options.run.logs, 'postgres.log'),
    env: isolatedEnvironment({ RESTART_CHAOS_WAVE: options.context.wave }),
    // Before it serves: a postmaster that is starting may not outlive a killed harness either.
    onSpawn: (postmaster) => options.guardian.watch(postmaster, 'postgres'),
  });
  return cluster;
}

function serverSpawner(
  options: StagePlaneOptions,
  databaseUrl: string,
  port: number,
): (boot: number) => Promise<PlaneServer> {
  const { context, installed, run } = options;
  const place = serverPlace(options, databaseUrl, port);
  const breaksAfterFault = context.testHooks.includes('start-fails-after-fault');
  return (boot) => {
    // The test hook stands for a build that does not come up again.
    const broken =
      breaksAfterFault && boot > 1 ? { ...installed, entry: join(run.path, 'no-such-entry.js') } : installed;
    return startServer({
      description: planeOf(installed),
      installed: broken,
      place,
      logDirectory: run.logs,
      boot,
      emit: context.emit,
    });
  };
}

/** Where the server of this plane lives; the same at every boot. */
export function serverPlace(options: StagePlaneOptions, databaseUrl: string, port: number): ServerPlace {
  const { context, run, agentSecret } = options;
  return {
    home: run.home,
    tmp: run.tmp,
    port,
    databaseUrl,
    wave: context.wave,
    agentSecret,
    compileCache: join(context.options.cacheDirectory, 'compile'),
  };
}

interface WavePlace {
  readonly wave: string;
  readonly tasks: TaskBook;
  readonly run: RunDirectory;
}

/** The server first, so that it cannot start another agent; then every other process of the wave. */
async function endPlane(control: PlaneControl, { wave, tasks, run }: WavePlace): Promise<string> {
  const server = await control.close();
  const database = control.cluster.identity();
  const { ended, stillAlive } = await endStrays({ wave, database, agents: tasks.processes() });
  if (stillAlive.length > 0) {
    throw new HarnessError(
      'process-not-ended',
      `${stillAlive.length} processes of ${wave} outlived SIGKILL: ${stillAlive.map(({ pid }) => pid).join(', ')}; run directory ${run.path}`,
    );
  }
  return `${server}; ${ended.length} stray processes ended`;
}
