/**
 * Extracted images, one directory per digest: `receipt.json` and `tree/`. A directory appears whole or not at all. Blobs are
 * not kept. When all together are larger than the limit, those that were used longest ago go.
 */
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { HarnessError } from '../model/errors.ts';
import { holderOf, tryHold } from '../process/held-file.ts';
import { checkContent, contentIdLabel } from './check-content.ts';
import { extractImage } from './extract-image.ts';
import { imageLimits } from './limits.ts';
import { pullImage } from './pull.ts';
import type { ImageReference } from '../model/image-reference.ts';

const receiptSchema = z.object({
  schema: z.literal(1),
  image: z.string(),
  /** Of the linux/amd64 image; another than the named one when that is an index. */
  manifestDigest: z.string(),
  /** From the bottom to the top. */
  layers: z.array(z.object({ digest: z.string(), bytes: z.int() })),
  layersRead: z.int(),
  unpackedBytes: z.int(),
  runnerSourceRevision: z.string(),
  contentId: z.string().nullable(),
  files: z.int(),
  directories: z.int(),
  symlinks: z.int(),
  bytes: z.int(),
  extractedAt: z.string(),
});

/** What was extracted from which image; `receipt.json`. */
export type ImageReceipt = z.infer<typeof receiptSchema>;

/** An extracted image. */
export interface CachedImage {
  /** Holds the two paths under their names in the image. */
  readonly treeDirectory: string;
  readonly receipt: ImageReceipt;
  readonly wasCached: boolean;
}

/** Several images of about a gigabyte; the disk of a small machine has room for it. */
export const imageCacheBytesMax = 20 * 2 ** 30;

/** Where it is kept, and how much may be. */
export interface ImageCacheOptions {
  readonly directory: string;
  readonly bytesMax: number;
  readonly progress: (line: string) => void;
}

/**
 * The image from the cache, or pulled, extracted and checked. Rejects with UsageError without skopeo, with HarnessError when
 * the image cannot be had or is refused, or while another process is about it; nothing of it is left then.
 */
export async function provideImage(reference: ImageReference, options: ImageCacheOptions): Promise<CachedImage> {
  const directory = join(options.directory, reference.hex);
  const treeDirectory = join(directory, 'tree');
  await mkdir(options.directory, { recursive: true });
  const known = await readReceipt(directory);
  if (known !== null) {
    const now = new Date();
    await utimes(join(directory, 'receipt.json'), now, now);
    return { treeDirectory, receipt: known, wasCached: true };
  }
  const lockFile = join(options.directory, `${reference.hex}.lock`);
  const held = await tryHold(lockFile);
  if (held === null) {
    throw new HarnessError(
      'image-pull-failed',
      `process ${await holderOf(lockFile)} is extracting ${reference.text}; wait for it, then start again`,
    );
  }
  try {
    await removeLeftovers(options.directory, reference.hex);
    const receipt = await extractInto(directory, reference, options);
    await pruneImages({ ...options, keep: reference.hex });
    return { treeDirectory, receipt, wasCached: false };
  } finally {
    await held.release();
  }
}

/** Removes the images that were used longest ago until all together fit; answers what the rest takes. `keep` stays, whatever its size. */
export async function pruneImages(options: ImageCacheOptions & { readonly keep: string | null }): Promise<number> {
  const images: { hex: string; bytes: number; usedAtMs: number }[] = [];
  for (const hex of await readdir(options.directory)) {
    const receipt = /^[0-9a-f]{64}$/.test(hex) ? await readReceipt(join(options.directory, hex)) : null;
    if (receipt === null) continue;
    const { mtimeMs } = await stat(join(options.directory, hex, 'receipt.json'));
    images.push({ hex, bytes: receipt.bytes, usedAtMs: mtimeMs });
  }
  let total = images.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { hex, bytes } of images.toSorted((one, other) => one.usedAtMs - other.usedAtMs)) {
    if (total <= options.bytesMax) return total;
    if (hex === options.keep) continue;
    // The receipt first: without it the rest is no image, also when this is interrupted.
    await rm(join(options.directory, hex, 'receipt.json'));
    await removeTree(join(options.directory, hex));
    total -= bytes;
    options.progress(`removed image sha256:${hex.slice(0, 12)}… from the cache (${Math.round(bytes / 1e6)} MB)`);
  }
  return total;
}

/** Removes a directory, also when a mode that came from an image forbids it. */
export async function removeTree(directory: string): Promise<void> {
  const open = async (path: string): Promise<void> => {
    await chmod(path, 0o700);
    const entries = await readdir(path, { withFileTypes: true });
    for (const entry of entries) if (entry.isDirectory()) await open(join(path, entry.name));
  };
  if ((await stat(directory).catch(() => null)) === null) return;
  await open(directory);
  await rm(directory, { recursive: true, force: true });
}

async function extractInto(
  directory: string,
  reference: ImageReference,
  { directory: parent, progress }: ImageCacheOptions,
): Promise<ImageReceipt> {
  const work = await mkdtemp(join(parent, `.extracting-${reference.hex}-`));
  try {
    const blobs = join(work, 'blobs');
    await mkdir(blobs);
    progress(`pulling ${reference.text}`);
    const image = await pullImage(reference, { directory: blobs, limits: imageLimits });
    progress(`reading ${image.layers.length} layers from the top down`);
    const result = await extractImage({ layers: image.layers, directory: work, limits: imageLimits });
    const runnerSourceRevision = await checkContent(join(work, 'tree'), image.labels);
    await rm(blobs, { recursive: true });
    const receipt: ImageReceipt = {
      schema: 1,
      image: reference.text,
      manifestDigest: image.manifestDigest,
      layers: image.layers.map(({ digest, bytes }) => ({ digest, bytes })),
      ...result,
      runnerSourceRevision,
      contentId: image.labels[contentIdLabel] ?? null,
      extractedAt: new Date().toISOString(),
    };
    await writeFile(join(work, 'receipt.json'), `${JSON.stringify(receipt, null, 2)}\n`);
    // A directory without a valid receipt is what a removal left when it was interrupted.
    await removeTree(directory);
    await rename(work, directory);
    return receipt;
  } catch (error) {
    await removeTree(work);
    throw error;
  }
}

async function removeLeftovers(directory: string, hex: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.startsWith(`.extracting-${hex}-`)) await removeTree(join(directory, name));
  }
}

async function readReceipt(directory: string): Promise<ImageReceipt | null> {
  try {
    return receiptSchema.parse(JSON.parse(await readFile(join(directory, 'receipt.json'), 'utf8')));
  } catch {
    return null;
  }
}
