/**
 * Puts what was found on the disk: directories, files, hard links, then symlinks, then the modes of directories. Into a new
 * directory, and nothing is followed on the way: when a name is used, no symlink is there yet.
 */
import { chmodSync, linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ImageEntry, TreeNode } from './image-tree.ts';
import { refuseImage } from './refuse-image.ts';
import { checkSymlink } from './symlinks.ts';
import { shown } from './tar/tar-reader.ts';
import { isWanted, packPath, runnerPath } from './wanted-paths.ts';

/** What was written. */
export interface WrittenTree {
  readonly files: number;
  readonly directories: number;
  readonly symlinks: number;
  readonly bytes: number;
}

interface Listed {
  readonly directories: { readonly path: string; readonly mode: number }[];
  readonly files: { readonly path: string; readonly file: ImageEntry & { readonly kind: 'file' } }[];
  readonly symlinks: { readonly path: string; readonly target: string }[];
}

// A directory that is in no layer by itself.
const defaultMode = 0o755;
// Neither setuid nor setgid: nothing of an image gets the rights of whoever extracts it.
const modeMask = 0o777;

/** Writes into `directory`, which is there and empty. Everything is checked before anything is written. */
export function writeTree(tree: TreeNode, directory: string): WrittenTree {
  const listed: Listed = { directories: [], files: [], symlinks: [] };
  list(tree, '', listed);
  requireBoth(tree);
  for (const { path, target } of listed.symlinks) checkSymlink(tree, path, target);
  for (const root of [runnerPath, packPath]) mkdirSync(join(directory, dirname(root)), { recursive: true });
  for (const { path } of listed.directories) mkdirSync(join(directory, path), 0o700);
  const written = new Set<string>();
  let bytes = 0;
  for (const { path, file } of listed.files) {
    if (!written.has(file.staged)) {
      chmodSync(file.staged, file.mode & modeMask);
      bytes += file.bytes;
      written.add(file.staged);
    }
    // A link rather than a rename: it fails when two names are one name on this file system.
    linkSync(file.staged, join(directory, path));
  }
  for (const { path, target } of listed.symlinks) symlinkSync(target, join(directory, path));
  for (const { path, mode } of listed.directories.toReversed()) chmodSync(join(directory, path), mode & modeMask);
  const { files, directories, symlinks } = listed;
  return { files: files.length, directories: directories.length, symlinks: symlinks.length, bytes };
}

/** Parents come before what is in them. */
function list(node: TreeNode, path: string, listed: Listed): void {
  if (isWanted(path) && isThere(node)) listOne(node, path, listed);
  for (const [name, child] of node.children) list(child, path === '' ? name : `${path}/${name}`, listed);
}

function listOne({ entry }: TreeNode, path: string, listed: Listed): void {
  const real = entry?.kind === 'hard-link' ? entry.target : entry;
  if (real === null) listed.directories.push({ path, mode: defaultMode });
  else if (real.kind === 'directory') listed.directories.push({ path, mode: real.mode });
  else if (real.kind === 'file') listed.files.push({ path, file: real });
  else if (real.kind === 'symlink') listed.symlinks.push({ path, target: real.target });
  else refuseImage(`${shown(path)} is a device or a pipe`);
}

/** A node may be there only for what it hides. */
function isThere(node: TreeNode): boolean {
  return node.entry !== null || [...node.children.values()].some(isThere);
}

function requireBoth(tree: TreeNode): void {
  const wanted = [
    { path: runnerPath, kind: 'file' },
    { path: packPath, kind: 'directory' },
  ] as const;
  for (const { path, kind } of wanted) {
    let node: TreeNode | undefined = tree;
    let at = '';
    for (const name of path.split('/')) {
      node = node.children.get(name);
      at = at === '' ? name : `${at}/${name}`;
      if (node === undefined || !isThere(node))
        return refuseImage(`the image has no ${at}, which is needed for ${path}`);
      const entry: ImageEntry | null = node.entry?.kind === 'hard-link' ? node.entry.target : node.entry;
      const expected = at === path ? kind : 'directory';
      const found = entry?.kind ?? 'directory';
      if (found !== expected)
        refuseImage(`${at} of the image is a ${found}, where a ${expected} is needed; it is not followed`);
    }
  }
}
