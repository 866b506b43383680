/**
 * What layers say of the wanted paths, as a tree. One tree per layer, filled in the order of its entries, where a later
 * one replaces an earlier one; and one for the image, into which the layers are merged from the top down, where what is
 * already there wins. Holds no content and touches no disk.
 */
import { refuseImage } from './refuse-image.ts';
import { shown } from './tar/tar-reader.ts';

/** A file by its place in the image; links to one file share one of these. */
export interface ImageFile {
  readonly kind: 'file';
  readonly mode: number;
  readonly bytes: number;
  /** Where its content is kept until the tree is written; empty for a parent of a wanted path, whose content is not. */
  readonly staged: string;
}

/** A hard link whose target is not known yet; `target` is set when it is. */
export interface HardLink {
  readonly kind: 'hard-link';
  readonly targetPath: string;
  /** Index of its layer, and the number of its entry there: the target stands before it, or in a layer below. */
  readonly layer: number;
  readonly position: number;
  target: ImageFile | ImageSymlink | null;
}

export interface ImageSymlink {
  readonly kind: 'symlink';
  readonly target: string;
}

export interface ImageDirectory {
  readonly kind: 'directory';
  readonly mode: number;
}

/** A device or a pipe. */
export interface ImageSpecial {
  readonly kind: 'special';
}

export type ImageEntry = ImageFile | HardLink | ImageSymlink | ImageDirectory | ImageSpecial;

/** A path. Without an entry it is there only for what is below it, or for what it hides. */
export interface TreeNode {
  entry: ImageEntry | null;
  /** Nothing of the layers below is seen at this path or below it. */
  closed: boolean;
  /** Nothing of the layers below is seen below this path. */
  opaque: boolean;
  readonly children: Map<string, TreeNode>;
}

export function emptyNode(): TreeNode {
  return { entry: null, closed: false, opaque: false, children: new Map() };
}

/** Whether a layer below can still say something about this path. */
export function isOpen(image: TreeNode, path: string): boolean {
  let node: TreeNode | undefined = image;
  for (const name of path.split('/')) {
    if (hidesBelow(node)) return false;
    node = node.children.get(name);
    if (node === undefined) return true;
  }
  return !node.closed && (node.entry === null || node.entry.kind === 'directory');
}

/** Whether a layer below can still add something below this path, or the path itself. */
export function isOpenBelow(image: TreeNode, path: string): boolean {
  const node = nodeAt(image, path);
  return isOpen(image, path) && (node === undefined || !hidesBelow(node));
}

/** The node of a path, if there is one. */
export function nodeAt(root: TreeNode, path: string): TreeNode | undefined {
  let node: TreeNode | undefined = root;
  for (const name of path.split('/')) node = node?.children.get(name);
  return node;
}

/** The node of a path of a layer, made when it is not there; `count` hears of each that is made. Refuses a path through something that is no directory. */
export function makeNode(root: TreeNode, path: string, count: () => void): TreeNode {
  let node = root;
  for (const name of path.split('/')) {
    if (node.entry !== null && node.entry.kind !== 'directory')
      refuseImage(`${shown(path)} lies below a ${node.entry.kind}, which is not followed`);
    let next = node.children.get(name);
    if (next === undefined) {
      count();
      next = emptyNode();
      node.children.set(name, next);
    }
    node = next;
  }
  return node;
}

/** Puts an entry at a node of its layer. What stood there goes, with all below it, unless both are directories. */
export function replaceEntry(node: TreeNode, entry: ImageEntry): void {
  if (isLeaf(entry) || isLeaf(node.entry)) node.children.clear();
  node.entry = entry;
}

/** Merges what a layer says below what the layers above it say. Refuses a path that is a directory only by what lies below it. */
export function mergeBelow(image: TreeNode, layer: TreeNode, path = ''): void {
  if (image.closed || isLeaf(image.entry)) return;
  if (isLeaf(layer.entry)) {
    if (image.entry !== null) image.opaque = true;
    else if (image.children.size > 0)
      refuseImage(`${shown(path)} is a ${layer.entry.kind}, and a layer above has entries below it`);
    else image.entry = layer.entry;
  } else {
    image.entry ??= layer.entry;
    if (!image.opaque) mergeChildren(image, layer, path);
  }
  image.opaque ||= layer.opaque;
  // Last: a mark is about the layers below, not about its own.
  image.closed ||= layer.closed;
}

function mergeChildren(image: TreeNode, layer: TreeNode, path: string): void {
  for (const [name, child] of layer.children) {
    let node = image.children.get(name);
    if (node === undefined) {
      node = emptyNode();
      image.children.set(name, node);
    }
    mergeBelow(node, child, path === '' ? name : `${path}/${name}`);
  }
}

function hidesBelow(node: TreeNode): boolean {
  return node.closed || node.opaque || isLeaf(node.entry);
}

function isLeaf(entry: ImageEntry | null): entry is Exclude<ImageEntry, ImageDirectory> {
  return entry !== null && entry.kind !== 'directory';
}
