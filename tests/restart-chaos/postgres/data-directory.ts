/**
 * Makes data directories: a new one by initdb, or a copy of one whose server was stopped. Starting a server on one is
 * cluster.ts. Both go through a directory beside the final place and a rename, so that a data directory which is there
 * is whole.
 * Trap: a copy of a directory in use, or of one left by a crash, would often start all the same, with rows missing.
 */
import { chmod, chown, constants, copyFile, mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HarnessError, errorText } from '../model/errors.ts';
import type { PostgresBinaries } from './binaries.ts';
import { runAsPostgres } from './unprivileged.ts';
import type { PostgresUser } from './unprivileged.ts';

// initdb took 0.8 to 1.4 s here on two busy cores.
const initdbTimeoutMs = 60_000;

/** Name of the superuser, for everything the harness and the plane do; connections from loopback need no password. */
export const superuser = 'chaos';

// No sync: what was written survives everything but a crash of the machine (settings.ts says more).
const initdbArguments =
  `--username ${superuser} --auth trust --encoding UTF8 --locale C --no-instructions --no-sync`.split(' ');

/**
 * Makes a new data directory: superuser `chaos`, trust on loopback, C locale, UTF8. `dataDirectory` must not exist yet,
 * its parent must. Throws HarnessError('postgres-not-ready') with what initdb said.
 */
export async function initCluster(binaries: PostgresBinaries, dataDirectory: string): Promise<void> {
  await intoPlace(dataDirectory, 'initdb', async (directory) => {
    await own(directory, binaries.user);
    const { code, output } = await runAsPostgres({
      argv: [binaries.initdb, '--pgdata', directory, ...initdbArguments],
      timeoutMs: initdbTimeoutMs,
    });
    if (code !== 0) throw new Error(`initdb ended with exit code ${code} and said: ${output.trim()}`);
  });
}

/**
 * Copies the data directory of a cleanly stopped server; `to` must not exist yet, its parent must. Blocks are shared
 * with the original where the file system can do that. Takes about 0.1 s for an empty cluster of 970 files and 39 MB on ext4.
 * Throws HarnessError('postgres-not-ready') when the original is in use or was left by a crash, or cannot be copied.
 */
export async function cloneCluster(binaries: PostgresBinaries, from: string, to: string): Promise<void> {
  await intoPlace(to, `copy of ${from}`, async (directory) => {
    await demandCleanStop(from);
    await copyTree(from, directory, binaries.user);
  });
}

async function intoPlace(place: string, what: string, fill: (directory: string) => Promise<void>): Promise<void> {
  let beside: string | null = null;
  try {
    beside = await mkdtemp(join(dirname(place), '.new-cluster-'));
    // Under root the user of Postgres has to pass through.
    await chmod(beside, 0o711);
    const data = join(beside, 'data');
    await mkdir(data, { mode: 0o700 });
    await fill(data);
    // Fails when the place holds a directory with anything in it, which is then left as it is.
    await rename(data, place);
  } catch (error) {
    throw new HarnessError(
      'postgres-not-ready',
      `could not make the data directory ${place} (${what}): ${errorText(error)}`,
      {
        cause: error,
      },
    );
  } finally {
    if (beside !== null) await rm(beside, { recursive: true, force: true });
  }
}

// Position and value from src/include/catalog/pg_control.h: system identifier, two versions, then the state; 1 is DB_SHUTDOWNED.
const stateOffset = 16;
const stateShutDown = 1;

async function demandCleanStop(dataDirectory: string): Promise<void> {
  const entries = await readdir(dataDirectory);
  if (entries.includes('postmaster.pid'))
    throw new Error(`${dataDirectory} is in use or was left by a crash (postmaster.pid is there)`);
  const control = await open(join(dataDirectory, 'global', 'pg_control'));
  try {
    const { buffer } = await control.read(new Int32Array(1), 0, 4, stateOffset);
    if (buffer[0] !== stateShutDown)
      throw new Error(`${dataDirectory} was not stopped cleanly (pg_control has state ${buffer[0]})`);
  } finally {
    await control.close();
  }
}

async function copyTree(from: string, to: string, user: PostgresUser | null): Promise<void> {
  await own(to, user);
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory()) {
        await mkdir(target, { mode: 0o700 });
        await copyTree(source, target, user);
      } else if (entry.isFile()) {
        await copyFile(source, target, constants.COPYFILE_FICLONE);
        await own(target, user);
      } else {
        throw new Error(
          `${source} is neither a file nor a directory; data directories with tablespaces cannot be copied`,
        );
      }
    }),
  );
}

async function own(path: string, user: PostgresUser | null): Promise<void> {
  if (user !== null) await chown(path, user.uid, user.gid);
}
