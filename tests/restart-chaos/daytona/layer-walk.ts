/**
 * Walks the layers of an image from the top down and finds what is seen at the wanted paths. Stops at the first layer whose
 * successors can add nothing. Content is staged as it passes by; a hard link to what passed by unwanted is looked up
 * afterwards (hard-links.ts).
 */
import { entryPath, insidePath } from './entry-path.ts';
import { resolveHardLinks } from './hard-links.ts';
import {
  emptyNode,
  isOpen,
  isOpenBelow,
  makeNode,
  mergeBelow,
  nodeAt,
  replaceEntry,
  type HardLink,
  type ImageEntry,
  type TreeNode,
} from './image-tree.ts';
import { readLayer, type LayerBlob } from './layer-blob.ts';
import type { ImageLimits } from './limits.ts';
import { refuseImage } from './refuse-image.ts';
import type { Staging } from './staging.ts';
import type { TarEntry, TarReader } from './tar/tar-reader.ts';
import { isRelevant, isWanted, packPath, runnerPath } from './wanted-paths.ts';

/** What a walk needs, and what it counts. */
export interface WalkContext {
  /** From the bottom to the top, as a manifest lists them. */
  readonly layers: readonly LayerBlob[];
  readonly staging: Staging;
  readonly limits: ImageLimits;
  /** Files that are staged, by layer and number of their entry, so that a link finds its target again. */
  readonly stagedAt: Map<string, ImageEntry & { readonly kind: 'file' }>;
  readonly used: { unpackedBytes: number; entries: number; keptEntries: number };
}

/** The tree that is seen, and how many layers were read for it. */
export interface WalkResult {
  readonly tree: TreeNode;
  readonly layersRead: number;
  readonly unpackedBytes: number;
}

/** Rejects with HarnessError `image-refused`; what was staged then is for the caller to remove. */
export async function walkLayers(options: Pick<WalkContext, 'layers' | 'staging' | 'limits'>): Promise<WalkResult> {
  const context: WalkContext = {
    ...options,
    stagedAt: new Map(),
    used: { unpackedBytes: 0, entries: 0, keptEntries: 0 },
  };
  const tree = emptyNode();
  const links: HardLink[] = [];
  let layersRead = 0;
  for (let layer = options.layers.length - 1; layer >= 0 && wantsMore(tree); layer -= 1) {
    mergeBelow(tree, await readTree({ context, layer, tree, links }));
    layersRead += 1;
  }
  await resolveHardLinks(context, links);
  return { tree, layersRead, unpackedBytes: context.used.unpackedBytes };
}

/** Reads one layer, bounded by the limits of the whole image. `use` gets every entry and its number. */
export async function eachEntry(
  { layers, limits, used }: WalkContext,
  layer: number,
  use: (at: { entry: TarEntry; position: number; archive: TarReader }) => Promise<void>,
): Promise<void> {
  const blob = layers[layer] ?? refuseImage(`the image has no layer ${layer}`);
  await readLayer(blob, {
    count: (bytes) => {
      used.unpackedBytes += bytes;
      if (used.unpackedBytes > limits.unpackedBytesMax)
        refuseImage(`the image unpacks to more than ${limits.unpackedBytesMax} bytes`);
    },
    use: async (archive) => {
      for (let position = 0; ; position += 1) {
        const entry = await archive.next();
        if (entry === null) return;
        used.entries += 1;
        if (used.entries > limits.entriesMax) refuseImage(`the image has more than ${limits.entriesMax} entries`);
        await use({ entry, position, archive });
      }
    },
  });
}

/** Stages the current entry's content, once for each entry of the image. */
export async function stageFile(
  { staging, stagedAt }: WalkContext,
  at: { readonly layer: number; readonly position: number; readonly entry: TarEntry; readonly archive: TarReader },
): Promise<ImageEntry & { readonly kind: 'file' }> {
  const key = `${at.layer}:${at.position}`;
  const known = stagedAt.get(key);
  if (known !== undefined) return known;
  const staged = await staging.keep(at.entry.bytes, at.archive.content());
  const file = { kind: 'file', mode: at.entry.mode, bytes: at.entry.bytes, staged } as const;
  stagedAt.set(key, file);
  return file;
}

function wantsMore(tree: TreeNode): boolean {
  return isOpenBelow(tree, runnerPath) || isOpenBelow(tree, packPath);
}

interface LayerReading {
  readonly context: WalkContext;
  readonly layer: number;
  /** Of the layers above. */
  readonly tree: TreeNode;
  /** Where links whose target is not known are put. */
  readonly links: HardLink[];
}

async function readTree(reading: LayerReading): Promise<TreeNode> {
  const own = emptyNode();
  const { context, tree } = reading;
  await eachEntry(context, reading.layer, async (at) => {
    const { path, mark } = entryPath(at.entry.name);
    if (mark === 'ignored' || (path === '' ? mark === 'none' : !isRelevant(path))) return;
    if (path !== '' && !isOpen(tree, path)) return;
    const node = path === '' ? own : makeNode(own, path, () => countKept(context));
    if (mark === 'removes') node.closed = true;
    else if (mark === 'empties') node.opaque = true;
    else replaceEntry(node, await entryOf({ reading, own, path, ...at }));
  });
  return own;
}

/** Counted by node, not by entry: one deep name makes many. */
function countKept({ used, limits }: WalkContext): void {
  used.keptEntries += 1;
  if (used.keptEntries > limits.keptEntriesMax)
    refuseImage(`more than ${limits.keptEntriesMax} paths are below the wanted ones`);
}

async function entryOf(at: {
  readonly reading: LayerReading;
  readonly own: TreeNode;
  readonly path: string;
  readonly entry: TarEntry;
  readonly position: number;
  readonly archive: TarReader;
}): Promise<ImageEntry> {
  const { reading, own, path, entry, position } = at;
  const { context, layer, links } = reading;
  if (entry.kind === 'directory') return { kind: 'directory', mode: entry.mode };
  if (entry.kind === 'symlink') return { kind: 'symlink', target: entry.linkName };
  // Below a directory of a layer above it is only a thing that hides; its content is not seen.
  const isReplaced = (nodeAt(reading.tree, path)?.entry ?? null) !== null;
  if (entry.kind === 'special' || isReplaced || !isWanted(path)) return { kind: 'special' };
  if (entry.kind === 'file') return await stageFile(context, { ...at, layer });
  const targetPath = insidePath(entry.linkName, `the hard link ${path}`);
  const target = nodeAt(own, targetPath)?.entry;
  if (target?.kind === 'file' || target?.kind === 'symlink' || target?.kind === 'hard-link') return target;
  const link: HardLink = { kind: 'hard-link', targetPath, layer, position, target: null };
  links.push(link);
  return link;
}
