/** The extraction against what umoci unpacks of the same image, for the two paths: content, modes, links. */
import { execFileSync, spawnSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeTree } from '../../fixtures/image/describe-tree.ts';
import { writeLayout, type WrittenLayer } from '../../fixtures/image/image-layout.ts';
import { baseEntries, directory, randomLayers } from '../../fixtures/image/random-layers.ts';
import { paxEntry, tarEntry, tarOf } from '../../fixtures/image/tar-writer.ts';
import { extractImage } from './extract-image.ts';
import { removeTree } from './image-cache.ts';
import { imageLimits } from './limits.ts';
import { packPath as pack, runnerPath } from './wanted-paths.ts';

const hasUmoci = spawnSync('umoci', ['--version']).status === 0;
const note = hasUmoci ? '' : ' (skipped: no program "umoci" on PATH)';
let work: string;

beforeEach(async () => {
  work = await mkdtemp(join(tmpdir(), 'restart-chaos-umoci-'));
});
afterEach(async () => await removeTree(work));

async function compare(layers: readonly WrittenLayer[], name: string): Promise<void> {
  const layout = join(work, `${name}-layout`);
  const image = await writeLayout(layout, layers);
  const bundle = join(work, `${name}-bundle`);
  const rootless = process.getuid?.() === 0 ? [] : ['--rootless'];
  execFileSync('umoci', ['unpack', ...rootless, '--image', `${layout}:test`, bundle], { stdio: 'pipe' });
  const own = join(work, `${name}-own`);
  await mkdir(own);
  await extractImage({ layers: image.layers, directory: own, limits: imageLimits });
  for (const path of [runnerPath, pack]) {
    expect(describeTree(join(own, 'tree', path)), `${name}: ${path}`).toEqual(
      describeTree(join(bundle, 'rootfs', path)),
    );
  }
  await rm(layout, { recursive: true });
}

const base = tarOf(baseEntries);
const long = `${'long-'.repeat(30)}name`;
const features: readonly { readonly what: string; readonly layers: readonly (() => Buffer)[] }[] = [
  {
    what: 'a file and a directory removed',
    layers: [
      () => tarOf([directory(`${pack}/d`), { name: `${pack}/d/x`, content: 'x' }, { name: `${pack}/y`, content: 'y' }]),
      () => tarOf([{ name: `${pack}/.wh.d` }, { name: `${pack}/.wh.y` }]),
    ],
  },
  {
    what: 'a directory emptied and filled again in one layer',
    layers: [
      () => tarOf([directory(`${pack}/d`), { name: `${pack}/d/old`, content: 'old' }]),
      () =>
        tarOf([directory(`${pack}/d`), { name: `${pack}/d/.wh..wh..opq` }, { name: `${pack}/d/new`, content: 'n' }]),
    ],
  },
  {
    what: 'a file written over, with another mode',
    layers: [
      () => tarOf([{ name: runnerPath, content: 'newer program', mode: 0o700 }]),
      () => tarOf([{ name: `${pack}/base.txt`, content: 'other', mode: 0o600 }]),
    ],
  },
  {
    what: 'a hard link in a layer, to a path that is not wanted, and to a layer below',
    layers: [
      () =>
        tarOf([
          directory('var'),
          { name: 'var/lib', content: 'outside' },
          { name: `${pack}/o`, type: '1', link: 'var/lib' },
        ]),
      () => tarOf([{ name: `${pack}/b`, type: '1', link: `${pack}/base.txt` }]),
      () => tarOf([{ name: `${pack}/v`, type: '1', link: 'var/lib' }, { name: `${pack}/.wh.o` }]),
    ],
  },
  {
    what: 'symlinks, one to a directory and one to nothing',
    layers: [
      () =>
        tarOf([
          directory(`${pack}/d`),
          { name: `${pack}/l`, type: '2', link: 'd' },
          { name: `${pack}/n`, type: '2', link: 'no' },
        ]),
      () => tarOf([{ name: `${pack}/d/up`, type: '2', link: '../base.txt' }]),
    ],
  },
  {
    what: 'a directory replaced by a file and a file by a directory',
    layers: [
      () => tarOf([directory(`${pack}/d`), { name: `${pack}/d/x`, content: 'x' }, { name: `${pack}/f`, content: 'f' }]),
      () =>
        tarOf([
          { name: `${pack}/d`, content: 'now a file' },
          directory(`${pack}/f`),
          { name: `${pack}/f/x`, content: '1' },
        ]),
    ],
  },
  {
    what: 'a parent of the pack removed and made again',
    layers: [
      () => tarOf([{ name: `${pack}/gone`, content: 'gone' }]),
      () => tarOf([{ name: 'opt/.wh.paperclip-runner' }]),
      () => tarOf([directory('opt/paperclip-runner'), directory(pack), { name: `${pack}/new`, content: 'new' }]),
    ],
  },
  {
    what: 'long names, as PAX and as GNU write them',
    layers: [
      () => tarOf([paxEntry({ path: `${pack}/${long}` }), { name: 'cut', content: 'pax' }]),
      () =>
        tarOf([
          tarEntry({ name: '././@LongLink', type: 'L', content: `${pack}/g${long}\0` }),
          { name: 'cut', content: 'gnu' },
          tarEntry({ name: '././@LongLink', type: 'K', content: `${long}\0` }),
          { name: `${pack}/to-long`, type: '2', link: 'cut' },
        ]),
    ],
  },
  { what: 'files with holes, as GNU tar writes them', layers: [sparse('posix')] },
  {
    what: 'entries twice in one layer, names with ./ and directories without an entry',
    layers: [
      () =>
        tarOf([
          { name: `./${pack}/e`, content: 'first' },
          { name: `./${pack}/e`, content: 'second', mode: 0o600 },
        ]),
      () => tarOf([{ name: `${pack}/deep/er/f`, content: 'f' }]),
    ],
  },
];

function sparse(format: string): () => Buffer {
  return () => {
    const root = join(work, `sparse-${format}`);
    const file = join(root, pack, `holes-${format}`);
    execFileSync('mkdir', ['-p', join(root, pack)]);
    writeFileSync(file, 'start');
    for (let at = 1; at <= 30; at += 1) writeFileSync(file, `piece ${at}`, { flag: 'r+' });
    truncateSync(file, 3 << 20);
    execFileSync('python3', ['-c', pieces, file]);
    return execFileSync('tar', ['-C', root, '-S', `--format=${format}`, '--owner=0', '--group=0', '-cf', '-', 'opt']);
  };
}

// Thirty pieces: more than fit into one header of GNU's own form.
const pieces = `
import sys
with open(sys.argv[1], 'r+b') as file:
    for number in range(30):
        file.seek(number * 98304)
        file.write(b'piece %d' % number)
`;

describe.skipIf(!hasUmoci)(`the extraction equals that of umoci${note}`, () => {
  it.each(features)('$what', async ({ layers }) => {
    await compare([{ tar: base }, ...layers.map((layer) => ({ tar: layer() }))], 'feature');
  });

  it('a file with holes in the old form of GNU tar, which umoci does not read, is what GNU tar extracts', async () => {
    const tar = sparse('gnu')();
    const image = await writeLayout(join(work, 'old-layout'), [{ tar: base }, { tar }]);
    await extractImage({ layers: image.layers, directory: work, limits: imageLimits });
    const other = join(work, 'other');
    await mkdir(other);
    execFileSync('tar', ['-C', other, '-xf', '-'], { input: tar });
    const holes = (root: string) => describeTree(join(root, pack)).find((line) => line.startsWith('holes-gnu'));
    expect(holes(other)).toMatch(/^holes-gnu 644 3145728 /);
    expect(holes(join(work, 'tree'))).toBe(holes(other));
  });

  it('two hundred random images', { timeout: 180_000 }, async () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      await compare(
        randomLayers(seed).map((tar) => ({ tar, compression: seed % 2 === 0 ? 'gzip' : 'none' })),
        `seed-${seed}`,
      );
      await removeTree(join(work, `seed-${seed}-own`));
      await removeTree(join(work, `seed-${seed}-bundle`));
    }
  });
});
