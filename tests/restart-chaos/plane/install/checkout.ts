/**
 * A plane built by the user from its sources: found and checked, never built or changed here.
 *
 * Trap: in a checkout the workspace packages resolve to their TypeScript sources, so that the built server starts
 * only under the loader `tsx` of its own modules; the published package needs none.
 */
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { UsageError } from '../../model/errors.ts';
import type { Target } from '../../model/target.ts';
import type { InstalledTarget } from '../install.ts';

const serverPackage = '@paperclipai/server';
/** Where the server package is, relative to the checkout; `.` when the package itself was named. */
const places = ['server', 'packages/server', '.'];

/** The built server of a checkout. Throws UsageError that says what is missing and how to build it. */
export async function verifyCheckout(target: Extract<Target, { kind: 'checkout' }>): Promise<InstalledTarget> {
  const directory = resolve(target.directory);
  const refuse = (what: string): UsageError => new UsageError([`--target ${target.text}: ${what}`]);
  if (!(await isDirectory(directory))) throw refuse(`there is no directory ${directory}`);
  const found = await findServer(directory);
  if (found === null) {
    throw refuse(
      `no package ${serverPackage} in ${directory} (looked in ${places.join(', ')}); name the root of a checkout`,
    );
  }
  const entry = join(found.directory, 'dist', 'index.js');
  if (!(await isFile(entry))) {
    throw refuse(
      `the server is not built: ${entry} is missing. Build it there, for example "pnpm install && pnpm build".`,
    );
  }
  return {
    text: target.text,
    version: found.version,
    entry,
    nodeArguments: await loaderArguments(found.directory),
    directory,
    sizeBytes: 0,
    commit: await commitOf(directory),
  };
}

async function findServer(root: string): Promise<{ readonly directory: string; readonly version: string } | null> {
  for (const place of places) {
    const directory = join(root, place);
    const text = await readFile(join(directory, 'package.json'), 'utf8').catch(() => null);
    const manifest = text === null ? null : (JSON.parse(text) as { name?: string; version?: string });
    if (manifest?.name === serverPackage) return { directory, version: manifest.version ?? 'unknown' };
  }
  return null;
}

async function loaderArguments(server: string): Promise<readonly string[]> {
  const loader = join(server, 'node_modules', 'tsx', 'dist', 'loader.mjs');
  return (await isFile(loader)) ? ['--import', loader] : [];
}

async function commitOf(directory: string): Promise<string | null> {
  const git = async (...args: readonly string[]): Promise<string | null> => {
    const result = await execa('git', ['-C', directory, ...args], { reject: false, timeout: 20_000 });
    return result.failed ? null : result.stdout.trim();
  };
  const commit = await git('rev-parse', 'HEAD');
  if (commit === null) return null;
  return (await git('status', '--porcelain', '--untracked-files=no')) === '' ? commit : `${commit}+dirty`;
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() === true;
}
