/**
 * A plane that has booted once: its migrated database and its home. Every wave starts from a copy, so that no wave
 * pays for hundreds of migrations. Keeping and copying is plane/template.ts; this file boots the one that is kept.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Emit } from '../model/event.ts';
import { numbersFor } from '../model/numbers.ts';
import type { InstalledTarget } from '../plane/install.ts';
import { planeOf } from '../plane/planes.ts';
import { startServer } from '../plane/server.ts';
import { cloneHome, ensureTemplate, templateKey } from '../plane/template.ts';
import type { PostgresBinaries } from '../postgres/binaries.ts';
import { cloneCluster, initCluster, startCluster, type Cluster } from '../postgres/cluster.ts';
import { createDatabase } from '../postgres/query.ts';
import { isolatedEnvironment } from '../process/environment.ts';
import type { Guardian } from '../process/guardian.ts';
import { reservePort } from '../process/ports.ts';
import { openDirectory } from './run-directory.ts';

export const planeDatabase = 'paperclip';

export interface TemplateOptions {
  readonly installed: InstalledTarget;
  readonly binaries: PostgresBinaries;
  readonly cacheDirectory: string;
  readonly wave: string;
  readonly guardian: Guardian;
  readonly agentSecret: string;
  readonly progress: (line: string) => void;
}

/** Where the two copies of a wave go. */
export interface PlaneState {
  readonly dataDirectory: string;
  readonly home: string;
}

const silent: Emit = () => undefined;
const { readyLimitMs } = numbersFor(1);

/** Fills `state` with a plane that has booted before, where one can be kept; returns what was done, for people. */
export async function prepareState(options: TemplateOptions, state: PlaneState): Promise<string> {
  const key = templateKey(options.installed, options.binaries.version);
  if (key === null) {
    await initCluster(options.binaries, state.dataDirectory);
    await mkdir(state.home, { recursive: true, mode: 0o700 });
    return 'empty database: a checkout that may change migrates at its first boot';
  }
  const { cacheDirectory, progress } = options;
  let made = false;
  const template = await ensureTemplate({
    cacheDirectory,
    key,
    progress,
    fill: async (empty) => {
      progress(`making the database template of ${options.installed.text} (its first boot migrates; once per version)`);
      await fillTemplate(options, empty);
      made = true;
    },
  });
  await cloneCluster(options.binaries, template.dataDirectory, state.dataDirectory);
  await cloneHome(template.home, state.home);
  return made ? 'template made and copied' : 'template copied';
}

/** Boots in a directory that an unprivileged Postgres can reach, which the cache need not be. */
async function fillTemplate(options: TemplateOptions, empty: PlaneState): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'restart-chaos-template-'));
  try {
    await openDirectory(work);
    const state = { dataDirectory: join(work, 'database'), home: join(work, 'home') };
    await bootOnce(options, work, state);
    await cloneCluster(options.binaries, state.dataDirectory, empty.dataDirectory);
    await rm(empty.home, { recursive: true, force: true });
    await cloneHome(state.home, empty.home);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function bootOnce(options: TemplateOptions, work: string, state: PlaneState): Promise<void> {
  await initCluster(options.binaries, state.dataDirectory);
  const [databasePort, serverPort] = [await reservePort(), await reservePort()];
  let cluster: Cluster | null = null;
  try {
    cluster = await startCluster({
      binaries: options.binaries,
      dataDirectory: state.dataDirectory,
      port: databasePort.port,
      logFile: join(work, 'postgres.log'),
      env: isolatedEnvironment({}),
      onSpawn: (postmaster) => options.guardian.watch(postmaster, 'postgres of the template'),
    });
    await createDatabase(cluster.url('postgres'), planeDatabase);
    await migrate(options, work, state.home, cluster.url(planeDatabase), serverPort.port);
  } finally {
    if (cluster !== null) {
      await cluster.stop();
      options.guardian.forget(cluster.identity());
    }
    databasePort.release();
    serverPort.release();
  }
}

async function migrate(
  options: TemplateOptions,
  work: string,
  home: string,
  databaseUrl: string,
  port: number,
): Promise<void> {
  const server = await startServer({
    description: planeOf(options.installed),
    installed: options.installed,
    place: {
      home,
      tmp: join(work, 'tmp'),
      port,
      databaseUrl,
      wave: options.wave,
      agentSecret: options.agentSecret,
      compileCache: join(options.cacheDirectory, 'compile'),
    },
    logDirectory: work,
    boot: 0,
    emit: silent,
  });
  options.guardian.watch(server.identity, 'server of the template');
  try {
    // Migrating took 7 to 18 s here; twice the usual limit leaves room for a loaded machine.
    await server.awaitReady(2 * readyLimitMs);
  } finally {
    server.child.signal('SIGTERM', 'leader');
    await server.child.exited;
    options.guardian.forget(server.identity);
  }
}
