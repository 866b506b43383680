/** The names of a layer as paths of the image. One that leads out of the image is refused, wherever it stands. */
import { refuseImage } from './refuse-image.ts';
import { shown } from './tar/tar-reader.ts';

/** What a layer's entry is about: a path, or one of the two marks that hide paths of the layers below. */
export interface EntryPath {
  /** Without leading `./` and trailing `/`; empty for the root. */
  readonly path: string;
  /** `removes`: nothing of the layers below is seen at the path. `empties`: nothing of them is seen below it. */
  readonly mark: 'none' | 'removes' | 'empties' | 'ignored';
}

const markPrefix = '.wh.';
const opaqueMark = '.wh..wh..opq';

/** Reads the name of an entry. Refuses absolute names, `..`, and names that are not Unicode. */
export function entryPath(name: string): EntryPath {
  const path = insidePath(name, 'an entry');
  const slash = path.lastIndexOf('/');
  const base = path.slice(slash + 1);
  const parent = path.slice(0, Math.max(0, slash));
  if (!base.startsWith(markPrefix)) return { path, mark: 'none' };
  if (base === opaqueMark) return { path: parent, mark: 'empties' };
  // Other names of this form are notes of one storage driver to itself.
  if (base.startsWith('.wh..wh.')) return { path, mark: 'ignored' };
  const removed = base.slice(markPrefix.length);
  if (removed === '' || removed === '.' || removed === '..') refuseImage(`a whiteout of nothing: ${shown(name)}`);
  return { path: parent === '' ? removed : `${parent}/${removed}`, mark: 'removes' };
}

/** A name as a path inside the image. Refuses what leads out of it. */
export function insidePath(name: string, what: string): string {
  if (name.startsWith('/')) refuseImage(`${what} has an absolute name: ${shown(name)}`);
  if (name.includes('\uFFFD')) refuseImage(`${what} has a name that is not Unicode: ${shown(name)}`);
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) refuseImage(`${what} has ".." in its name: ${shown(name)}`);
  return parts.join('/');
}
