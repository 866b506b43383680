/**
 * Finds what hard links point at when it passed by unwanted: elsewhere in the same layer, hidden by a layer above, or in a
 * layer below. Reads again only the layers that can have it. A target is the last entry of its path before the link, or what
 * the layers below show there.
 */
import { entryPath, insidePath } from './entry-path.ts';
import type { HardLink, ImageEntry } from './image-tree.ts';
import { eachEntry, stageFile, type WalkContext } from './layer-walk.ts';
import { refuseImage } from './refuse-image.ts';
import { shown } from './tar/tar-reader.ts';

interface Search {
  readonly link: HardLink;
  path: string;
  layer: number;
  /** Only entries before this one count. */
  before: number;
  found: { readonly entry: ImageEntry; readonly position: number } | null;
}

// A link to a link to a link: archivers write links to the first name, so that one more reading is the rule.
const readingsOfLayerMax = 16;
// All parents of all targets are held in memory.
const parentsMax = 500_000;

/** Sets the target of each link. Rejects with HarnessError `image-refused` when there is none. */
export async function resolveHardLinks(context: WalkContext, links: readonly HardLink[]): Promise<void> {
  const searches = links.map((link): Search => {
    return { link, path: link.targetPath, layer: link.layer, before: link.position, found: null };
  });
  for (let layer = context.layers.length - 1; layer >= 0; layer -= 1) {
    for (let reading = 0; ; reading += 1) {
      const here = searches.filter((search) => search.layer === layer && search.link.target === null);
      if (here.length === 0) break;
      if (reading === readingsOfLayerMax) refuseImage(`hard links to hard links: ${shown(here[0]?.path ?? '')}`);
      await searchLayer(context, { layer, searches: here });
    }
  }
  const lost = searches.find(({ link }) => link.target === null);
  if (lost !== undefined) refuseImage(`a hard link to ${shown(lost.link.targetPath)}, which the image does not have`);
}

async function searchLayer(
  context: WalkContext,
  { layer, searches }: { readonly layer: number; readonly searches: readonly Search[] },
): Promise<void> {
  const byPath = new Map<string, Search[]>();
  for (const search of searches) byPath.set(search.path, [...(byPath.get(search.path) ?? []), search]);
  const parents = parentsOf([...byPath.keys()]);
  // The first mark or entry that hides a path, by the number of its entry.
  const hidden = new Map<string, number>();
  const hide = (path: string, position: number): void => void (hidden.has(path) || hidden.set(path, position));
  await eachEntry(context, layer, async ({ entry, position, archive }) => {
    const { path, mark } = entryPath(entry.name);
    if (mark === 'removes' && (byPath.has(path) || parents.has(path))) hide(path, position);
    if (parents.has(path) && (mark === 'empties' || (mark === 'none' && entry.kind !== 'directory')))
      hide(`${path}/`, position);
    if (mark !== 'none') return;
    for (const search of byPath.get(path) ?? []) {
      if (position >= search.before) continue;
      search.found = { position, entry: await targetOf(context, { layer, position, entry, archive }) };
    }
  });
  for (const search of searches) conclude(search, hidden);
}

async function targetOf(context: WalkContext, at: Parameters<typeof stageFile>[1]): Promise<ImageEntry> {
  const { entry, layer, position } = at;
  if (entry.kind === 'file') return await stageFile(context, at);
  if (entry.kind === 'symlink') return { kind: 'symlink', target: entry.linkName };
  if (entry.kind !== 'hard-link') return { kind: 'special' };
  const targetPath = insidePath(entry.linkName, `the hard link ${shown(entry.name)}`);
  return { kind: 'hard-link', targetPath, layer, position, target: null };
}

function conclude(search: Search, hidden: ReadonlyMap<string, number>): void {
  const { found, link } = search;
  search.found = null;
  if (found === null) {
    const parents = [...parentsOf([search.path])];
    // What its own layer hides after the link was made does not touch the link.
    const isHidden = [search.path, ...parents, ...parents.map((parent) => `${parent}/`)].some(
      (path) => (hidden.get(path) ?? Number.POSITIVE_INFINITY) < search.before,
    );
    if (isHidden) refuseImage(`a hard link to ${shown(link.targetPath)}, which a layer above removed`);
    search.layer -= 1;
    search.before = Number.POSITIVE_INFINITY;
    return;
  }
  if (found.entry.kind === 'hard-link') {
    search.path = found.entry.targetPath;
    search.before = found.position;
    return;
  }
  if (found.entry.kind === 'file' || found.entry.kind === 'symlink') link.target = found.entry;
  else refuseImage(`a hard link to ${shown(link.targetPath)}, which is no file`);
}

/** Every directory above the paths. */
function parentsOf(paths: readonly string[]): ReadonlySet<string> {
  const parents = new Set<string>();
  for (const path of paths) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      parents.add(path.slice(0, slash));
    }
    if (parents.size > parentsMax) refuseImage('hard links to too many different places');
  }
  return parents;
}
