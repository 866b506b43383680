/**
 * Makes the place where a confined command runs: a directory of our own with `work`, a copy of a worktree, and an empty
 * `home`. The original is only read. `.git` is left out: no command needs it, and it leads back into the repository.
 * Trap: the worktree is an agent's; it may hold links to anywhere (copied as links, never followed), pipes that block
 * whoever opens them (left out) and more than the disk can take (refused).
 */
import {
  chmod,
  chown,
  constants,
  copyFile,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  realpath,
  rm,
  symlink,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whom everything in the scratch shall belong to; null for the user of the harness. */
export type ScratchOwner = { readonly uid: number; readonly gid: number } | null;

/** A scratch directory and the way to remove it. */
export interface Scratch {
  /** A real path. */
  readonly path: string;
  remove(): Promise<void>;
}

// The sandbox project has some 20 small files; a worktree of a real project with its dependencies fits as well.
const entriesMax = 50_000;
const bytesMax = 1024 ** 3;

/** Copies `directory`, nothing when it is null. Throws an Error when it cannot be read, or is larger than 50,000 entries or 1 GiB. */
export async function makeScratch(directory: string | null, owner: ScratchOwner): Promise<Scratch> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'restart-chaos-sandbox-')));
  const remove = async (): Promise<void> => {
    // Names that a command made unreadable for itself; root needs none of this.
    await rm(path, { recursive: true, force: true }).catch(async () => {
      await openDirectories(path);
      await rm(path, { recursive: true, force: true });
    });
  };
  try {
    if (owner !== null) await chown(path, owner.uid, owner.gid);
    for (const name of ['home', 'work']) {
      await mkdir(join(path, name), { mode: 0o700 });
      if (owner !== null) await chown(join(path, name), owner.uid, owner.gid);
    }
    if (directory !== null) {
      await copyTree(await realpath(directory), join(path, 'work'), { owner, entries: 0, bytes: 0, directory });
    }
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

interface CopyState {
  readonly owner: ScratchOwner;
  readonly directory: string;
  entries: number;
  bytes: number;
}

async function copyTree(from: string, to: string, state: CopyState): Promise<void> {
  for (const name of await readdir(from)) {
    if (name === '.git') continue;
    const [source, target] = [join(from, name), join(to, name)];
    const entry = await lstat(source);
    state.entries += 1;
    if (entry.isFile()) state.bytes += entry.size;
    if (state.entries > entriesMax || state.bytes > bytesMax) {
      throw new Error(`${state.directory} has more than ${entriesMax} entries or ${bytesMax} bytes and is not copied`);
    }
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.isFile()) await copyFile(source, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    else if (entry.isDirectory()) await mkdir(target, { mode: 0o700 });
    else continue;
    if (state.owner !== null) await lchown(target, state.owner.uid, state.owner.gid);
    if (entry.isDirectory()) await copyTree(source, target, state);
  }
}

async function openDirectories(path: string): Promise<void> {
  await chmod(path, 0o700);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await openDirectories(join(path, entry.name));
  }
}
