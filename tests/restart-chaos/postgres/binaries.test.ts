import { chmod, cp, lstat, mkdir, mkdtemp, readFile, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareFrom, preparePostgres } from './binaries.ts';

let directory: string;
let installed: string;
/** A package that only its owner can reach. */
let closed: string;
const temporary = process.env['TMPDIR'];
const asRoot = process.getuid?.() === 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'restart-chaos-test-'));
  await chmod(directory, 0o711);
  await mkdir(join(directory, 'temporary'));
  process.env['TMPDIR'] = join(directory, 'temporary');
  // A copy, when this checkout is one that only its owner can reach.
  installed = (await preparePostgres(join(directory, 'cache'))).directory;
  closed = join(directory, 'closed');
  await copyWithoutLinks('closed');
  await chmod(closed, 0o700);
}, 60_000);

afterAll(async () => {
  if (temporary === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = temporary;
  await rm(directory, { recursive: true });
});

/** A copy as `npm ci --ignore-scripts` leaves it: no links, here also no permission to run. */
async function copyWithoutLinks(place: string): Promise<{ native: string; links: readonly string[] }> {
  const native = join(directory, place, 'native');
  await cp(installed, native, { recursive: true, verbatimSymlinks: true });
  const listed = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
  const links = listed.map(({ target }) => join(dirname(native), target));
  for (const link of links) await rm(link);
  await chmod(join(native, 'bin', 'initdb'), 0o644);
  return { native, links };
}

describe('preparePostgres', { timeout: 30_000 }, () => {
  test('finds the package of this platform and tells its version', async () => {
    const binaries = await preparePostgres(join(directory, 'cache'));
    expect(binaries.version).toMatch(/^18\./);
    expect(binaries.user).toEqual(asRoot ? { uid: 65_534, gid: 65_534 } : null);
  });

  test('copies nothing where their user can reach the programs', async () => {
    const { native } = await copyWithoutLinks('reachable');
    const binaries = await prepareFrom(native, join(directory, 'unused'));
    expect(binaries.directory).toBe(native);
    await expect(lstat(join(directory, 'unused'))).rejects.toThrow(/ENOENT/);
  });

  test('makes missing and wrong links, also when several waves do it at once, and leaves nothing beside them', async () => {
    const { native, links } = await copyWithoutLinks('hydrated');
    const [first = ''] = links;
    await symlink('nowhere', first);
    const all = await Promise.all([1, 2, 3, 4].map(async () => await prepareFrom(native, join(directory, 'unused'))));
    expect(all.map((binaries) => binaries.directory)).toEqual([native, native, native, native]);
    expect(await readlink(first)).not.toBe('nowhere');
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) expect((await lstat(link)).isSymbolicLink(), link).toBe(true);
    expect((await readdir(join(native, 'lib'))).sort()).toEqual((await readdir(join(installed, 'lib'))).sort());
  });

  // Only root runs Postgres as somebody else, for whom a 0700 directory is in the way.
  test.runIf(asRoot)('copies the programs to the cache when their user cannot reach them', async () => {
    const cache = join(directory, 'open-cache');
    const [one, two] = await Promise.all([
      prepareFrom(join(closed, 'native'), cache),
      prepareFrom(join(closed, 'native'), cache),
    ]);
    expect(one.directory.startsWith(cache)).toBe(true);
    expect(two).toEqual(one);
    expect(await readdir(cache)).toHaveLength(1);
  });

  test.runIf(asRoot)('copies them below the temporary directory when the cache cannot be reached either', async () => {
    const binaries = await prepareFrom(join(closed, 'native'), join(closed, 'cache'));
    expect(binaries.directory.startsWith(join(directory, 'temporary', 'restart-chaos-postgres-0'))).toBe(true);
  });

  test('says where it tried when the programs run nowhere', async () => {
    const native = join(directory, 'broken', 'native');
    await cp(join(installed, 'pg-symlinks.json'), join(native, 'pg-symlinks.json'));
    await expect(prepareFrom(native, join(directory, 'broken-cache'))).rejects.toMatchObject({
      code: 'postgres-not-ready',
      message: expect.stringContaining(`the Postgres programs of ${native} run nowhere`),
    });
  });
});
