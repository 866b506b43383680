/** Images that are damaged or mean harm: one clear error, and nothing outside of the extraction's own directory. */
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import seedrandom from 'seedrandom';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256, writeLayout, type WrittenLayer } from '../../fixtures/image/image-layout.ts';
import { baseEntries, directory, randomLayers } from '../../fixtures/image/random-layers.ts';
import { paxEntry, tarEntry, tarOf, type WrittenEntry } from '../../fixtures/image/tar-writer.ts';
import { HarnessError } from '../model/errors.ts';
import { extractImage } from './extract-image.ts';
import { removeTree } from './image-cache.ts';
import { imageLimits, type ImageLimits } from './limits.ts';
import type { LayerBlob } from './layer-blob.ts';
import { packPath as pack } from './wanted-paths.ts';

const base = tarOf(baseEntries);
const small: ImageLimits = { ...imageLimits, keptBytesMax: 1 << 20, unpackedBytesMax: 32 << 20, keptEntriesMax: 5000 };
let root: string;
let work: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'restart-chaos-hostile-'));
  work = join(root, 'inner', 'work');
  await mkdir(work, { recursive: true });
  await writeFile(join(root, 'witness'), 'untouched');
});
afterEach(async () => await removeTree(root));

/** The refusal, or null when it was extracted. Asserts that nothing else was touched. */
async function refusal(layers: readonly LayerBlob[], limits = small): Promise<string | null> {
  const own = await mkdtemp(join(work, 'own-'));
  let text: string | null = null;
  try {
    await extractImage({ layers, directory: own, limits });
  } catch (error) {
    expect(error, String(error instanceof Error ? error.stack : error)).toBeInstanceOf(HarnessError);
    expect((error as HarnessError).code).toBe('image-refused');
    text = (error as HarnessError).message;
    expect(text.length).toBeLessThan(6000);
    // Refused before the first name of the image was used, or extracted: never in between.
    if (existsSync(join(own, 'tree'))) expect(await readdir(join(own, 'tree'))).toEqual([]);
  }
  expect((await readdir(root)).sort()).toEqual(['inner', 'witness']);
  expect(await readdir(join(root, 'inner'))).toEqual(['work']);
  expect((await readdir(work)).filter((name) => !name.startsWith('own-') && name !== 'layout')).toEqual([]);
  expect(readFileSync(join(root, 'witness'), 'utf8')).toBe('untouched');
  await removeTree(own);
  return text;
}

async function refusalOf(layers: readonly WrittenLayer[], limits = small): Promise<string | null> {
  const image = await writeLayout(join(work, 'layout'), [{ tar: base }, ...layers]);
  return await refusal(image.layers, limits);
}

const up = '../../../../../../../..';
const traps: readonly {
  readonly what: string;
  readonly says: RegExp;
  readonly entries: (at: string) => readonly (WrittenEntry | Buffer)[];
}[] = [
  {
    what: 'a name with ".."',
    says: /"\.\." in its name/,
    entries: (at) => [{ name: `${at}/${up}/witness`, content: 'x' }],
  },
  { what: 'a name with ".." that is not wanted', says: /"\.\." in its name/, entries: () => [{ name: '../x' }] },
  { what: 'an absolute name', says: /absolute name/, entries: (at) => [{ name: `/${at}/x`, content: 'x' }] },
  {
    what: 'an absolute PAX name',
    says: /absolute name/,
    entries: (at) => [paxEntry({ path: `/${at}/x` }), { name: 'x' }],
  },
  {
    what: 'a symlink out',
    says: /leads out of what is extracted/,
    entries: (at) => [{ name: `${at}/l`, type: '2', link: `${up}/etc/passwd` }],
  },
  {
    what: 'an absolute symlink',
    says: /is absolute/,
    entries: (at) => [{ name: `${at}/l`, type: '2', link: '/etc/passwd' }],
  },
  {
    what: 'a symlink to itself',
    says: /leads in a circle/,
    entries: (at) => [{ name: `${at}/l`, type: '2', link: 'l' }],
  },
  {
    what: 'two symlinks in a circle',
    says: /leads in a circle/,
    entries: (at) => [
      { name: `${at}/l`, type: '2', link: 'm' },
      { name: `${at}/m`, type: '2', link: 'l' },
    ],
  },
  {
    what: 'a symlink out by way of another',
    says: /leads out of what is extracted/,
    entries: (at) => [
      directory(`${at}/d`),
      { name: `${at}/d/up`, type: '2', link: '..' },
      { name: `${at}/d/l`, type: '2', link: `up/up/${up}/etc` },
    ],
  },
  {
    what: 'a file written through a symlink',
    says: /below a symlink, which is not followed/,
    entries: (at) => [
      { name: `${at}/l`, type: '2', link: '/tmp' },
      { name: `${at}/l/x`, content: 'x' },
    ],
  },
  {
    what: 'a hard link out',
    says: /"\.\." in its name/,
    entries: (at) => [{ name: `${at}/h`, type: '1', link: `${up}/etc/passwd` }],
  },
  {
    what: 'an absolute hard link',
    says: /absolute name/,
    entries: (at) => [{ name: `${at}/h`, type: '1', link: '/etc/passwd' }],
  },
  {
    what: 'a hard link to nothing',
    says: /the image does not have/,
    entries: (at) => [{ name: `${at}/h`, type: '1', link: 'no' }],
  },
  {
    what: 'a hard link to itself',
    says: /the image does not have/,
    entries: (at) => [{ name: `${at}/h`, type: '1', link: `${at}/h` }],
  },
  { what: 'a device', says: /device or a pipe/, entries: (at) => [{ name: `${at}/null`, type: '3' }] },
  { what: 'a pipe', says: /device or a pipe/, entries: (at) => [{ name: `${at}/pipe`, type: '6' }] },
  { what: 'a whiteout of ".."', says: /whiteout of nothing/, entries: (at) => [{ name: `${at}/.wh...` }] },
  {
    what: 'a size that lies',
    says: /ends inside/,
    entries: (at) => [tarEntry({ name: `${at}/f`, content: 'x', size: 2 ** 20 - 1 })],
  },
  {
    what: 'a size beyond the limit',
    says: /more than \d+ bytes/,
    entries: (at) => [tarEntry({ name: `${at}/f`, size: 2 ** 32 })],
  },
  {
    what: 'a hole of a terabyte',
    says: /more than \d+ bytes/,
    entries: (at) => [
      paxEntry({ 'GNU.sparse.size': '1099511627776', 'GNU.sparse.map': '0,1', 'GNU.sparse.name': `${at}/f` }),
      { name: 'x', content: 'x' },
    ],
  },
  {
    what: 'a sparse map that overlaps',
    says: /do not fit the file/,
    entries: (at) => [
      paxEntry({ 'GNU.sparse.size': '10', 'GNU.sparse.map': '0,5,2,5', 'GNU.sparse.name': `${at}/f` }),
      { name: 'x', content: '0123456789' },
    ],
  },
  {
    what: 'an extended header without an end',
    says: /extended header of/,
    entries: () => [tarEntry({ name: 'x', type: 'x', size: 2 ** 31 })],
  },
  {
    what: 'PAX records that do not fit',
    says: /record lengths/,
    entries: () => [tarEntry({ name: 'x', type: 'x', content: '99 path=x\n' }), { name: 'x' }],
  },
  { what: 'an unknown type', says: /unknown type/, entries: (at) => [{ name: `${at}/x`, type: 'Q' }] },
  {
    what: 'more paths than the limit',
    says: /more than 5000 paths/,
    entries: (at) =>
      Array.from({ length: 200 }, (_, index) => paxEntry({ path: `${at}/${index}/${'d/'.repeat(40)}f` })).flatMap(
        (pax) => [pax, { name: 'x' }],
      ),
  },
];

describe('a hostile image is refused', () => {
  // Each in eight places: 200 images.
  const places = ['', '/a', '/a/b', '/with space', '/ü', '/.hidden', '/node_modules/.bin', '/deep/er/and/deep/er'];
  it.each(traps)('$what', async ({ says, entries }) => {
    for (const place of places) {
      expect(await refusalOf([{ tar: tarOf(entries(`${pack}${place}`)) }]), place).toMatch(says);
    }
  });

  it('a bomb: 64 MB of zeros in 64 kB', async () => {
    expect(await refusalOf([{ tar: tarOf([{ name: 'unwanted', content: Buffer.alloc(64 << 20) }]) }])).toMatch(
      /unpacks to more than/,
    );
  });

  it('a parent of the pack that is a symlink', async () => {
    const tar = tarOf([{ name: 'opt', type: '2', link: 'usr' }]);
    expect(await refusalOf([{ tar }])).toMatch(/opt of the image is a symlink, where a directory is needed/);
  });

  it('a layer whose content was changed', async () => {
    const image = await writeLayout(join(work, 'layout'), [{ tar: base, compression: 'none' }]);
    const [layer] = image.layers;
    if (layer === undefined) throw new Error('one layer was written');
    const bytes = readFileSync(layer.file);
    bytes[bytes.indexOf('program')] = 0x50;
    await writeFile(layer.file, bytes);
    expect(await refusal(image.layers)).toMatch(/was damaged: its content has the digest/);
  });
});

describe('a thousand mangled archives', () => {
  it('are each refused, or extracted inside', { timeout: 180_000 }, async () => {
    const random = seedrandom('mangled');
    const counts = { refused: 0, extracted: 0 };
    const baseBlob = await blobOf(base, 'base');
    for (let number = 0; number < 1000; number += 1) {
      const tar = randomLayers(number % 50).at(-1) ?? base;
      const packed = number % 3 === 0;
      const bytes = mangle(packed ? gzipSync(tar, { level: 1 }) : Buffer.from(tar), random);
      // The digest is that of the mangled bytes: whoever made the image meant them.
      const text = await refusal([baseBlob, await blobOf(bytes, 'mangled')]);
      counts[text === null ? 'extracted' : 'refused'] += 1;
    }
    expect(counts.refused).toBeGreaterThan(300);
    expect(counts.refused + counts.extracted).toBe(1000);
  });
});

async function blobOf(bytes: Buffer, name: string): Promise<LayerBlob> {
  await mkdir(join(work, 'layout'), { recursive: true });
  const file = join(work, 'layout', name);
  await writeFile(file, bytes);
  return { file, digest: sha256(bytes), bytes: bytes.length };
}

/** Cuts it, or changes one to eight bytes, most of them in the headers. */
function mangle(bytes: Buffer, random: () => number): Buffer {
  if (random() < 0.3) return bytes.subarray(0, Math.floor(random() * bytes.length));
  for (let count = 1 + Math.floor(random() * 8); count > 0; count -= 1) {
    const block = Math.floor((random() * bytes.length) / 512) * 512;
    const at = random() < 0.7 ? block + Math.floor(random() * 160) : Math.floor(random() * bytes.length);
    if (at < bytes.length) bytes[at] = Math.floor(random() * 256);
  }
  return bytes;
}
