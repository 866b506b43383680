/**
 * Where the symlinks of an extraction lead. What is extracted is read on this machine, so that a link that leaves the
 * extracted paths would read a file of this machine: it is refused, as is a circle. Resolved in the tree, never on the disk.
 */
import type { TreeNode } from './image-tree.ts';
import { refuseImage } from './refuse-image.ts';
import { shown } from './tar/tar-reader.ts';
import { isRelevant, isWanted } from './wanted-paths.ts';

// As many as Linux follows.
const followedMax = 40;

/** Refuses the link at `path` when following it would leave the wanted paths. One that leads to nothing inside is let be. */
export function checkSymlink(tree: TreeNode, path: string, target: string): void {
  const why = `${shown(path)} is a symlink to ${shown(target)}`;
  if (target.startsWith('/')) refuseImage(`${why}, which is absolute and would lead to a file of this machine`);
  if (target === '' || target.includes('\uFFFD') || target.includes('\0')) refuseImage(`${why}, which names nothing`);
  let at = path.split('/').slice(0, -1);
  let followed = 1;
  const todo = target.split('/').reverse();
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    if (name === '' || name === '.') continue;
    at = name === '..' ? at.slice(0, -1) : [...at, name];
    if (!isRelevant(at.join('/'))) refuseImage(`${why}, which leads out of what is extracted`);
    const entry = nodeOf(tree, at)?.entry;
    const next = entry?.kind === 'hard-link' ? entry.target : entry;
    if (next?.kind !== 'symlink') continue;
    followed += 1;
    if (followed > followedMax) refuseImage(`${why}, which leads in a circle`);
    if (next.target.startsWith('/')) refuseImage(`${why}, which leads to an absolute symlink`);
    at = at.slice(0, -1);
    todo.push(...next.target.split('/').reverse());
  }
  if (!isWanted(at.join('/'))) refuseImage(`${why}, which leads out of what is extracted`);
}

function nodeOf(tree: TreeNode, path: readonly string[]): TreeNode | undefined {
  let node: TreeNode | undefined = tree;
  for (const name of path) node = node?.children.get(name);
  return node;
}
