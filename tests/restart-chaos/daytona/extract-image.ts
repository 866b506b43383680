/** From the blobs of an image to the two wanted paths on the disk, checked. */
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { walkLayers } from './layer-walk.ts';
import type { LayerBlob } from './layer-blob.ts';
import type { ImageLimits } from './limits.ts';
import { Staging } from './staging.ts';
import { writeTree, type WrittenTree } from './write-tree.ts';

/** What an extraction wrote, and what it read for it. */
export interface Extraction extends WrittenTree {
  readonly layersRead: number;
  /** Of the layers that were read, unpacked. */
  readonly unpackedBytes: number;
}

/**
 * Writes the wanted paths into `directory/tree`, under the names that they have in the image. `directory` is there, and
 * empty but for the blobs. Rejects with HarnessError `image-refused`; the directory is then for the caller to remove.
 */
export async function extractImage(options: {
  readonly layers: readonly LayerBlob[];
  readonly directory: string;
  readonly limits: ImageLimits;
}): Promise<Extraction> {
  const stagingDirectory = join(options.directory, 'staging');
  const staging = new Staging(stagingDirectory, options.limits.keptBytesMax);
  const { tree, layersRead, unpackedBytes } = await walkLayers({ ...options, staging });
  const target = join(options.directory, 'tree');
  mkdirSync(target);
  const written = writeTree(tree, target);
  await rm(stagingDirectory, { recursive: true });
  return { ...written, layersRead, unpackedBytes };
}
