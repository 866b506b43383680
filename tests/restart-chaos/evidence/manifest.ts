/**
 * A worktree's files at one moment, by hash. Git's own files are left out: they change with every command and are
 * not what the task made.
 *
 * Trap: an agent may be at work meanwhile. A file that vanishes between listing and reading was not there at the
 * moment and is left out; a directory that cannot be read is an error, because rule R2 would take its files for lost.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { HarnessError, errorText } from '../model/errors.ts';
import type { Manifest, ManifestFile, SnapshotMoment } from '../model/evidence.ts';

/** Walks and hashes a worktree. Throws HarnessError(`evidence-unreadable`) naming what could not be read. */
export async function takeManifest(root: string, moment: SnapshotMoment, atMs: number): Promise<Manifest> {
  const files = await filesBelow(root, '');
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { schema: 1, moment, root, takenAtMs: atMs, files };
}

async function filesBelow(root: string, directory: string): Promise<ManifestFile[]> {
  const entries = await readable(join(root, directory), directory === '', (path) =>
    readdir(path, { withFileTypes: true }),
  );
  const files: ManifestFile[] = [];
  for (const entry of entries ?? []) {
    if (entry.name === '.git') continue;
    const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
    if (entry.isDirectory()) files.push(...(await filesBelow(root, path)));
    else {
      const file = await readable(join(root, path), false, (full) => describeFile(full, path));
      if (file !== null) files.push(file);
    }
  }
  return files;
}

async function describeFile(full: string, path: string): Promise<ManifestFile> {
  const stats = await lstat(full);
  if (stats.isSymbolicLink()) {
    const target = await readlink(full);
    return { path, kind: 'symlink', bytes: stats.size, sha256: createHash('sha256').update(target).digest('hex') };
  }
  // Opening a pipe or a socket could wait for ever; its name is all there is to lose.
  if (!stats.isFile()) return { path, kind: 'other', bytes: 0, sha256: '' };
  return { path, kind: 'file', ...(await hashFile(full)) };
}

async function hashFile(full: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(full) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Null when it vanished meanwhile; the root itself may not. */
async function readable<T>(path: string, isRoot: boolean, read: (path: string) => Promise<T>): Promise<T | null> {
  try {
    return await read(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && !isRoot) return null;
    throw new HarnessError(
      'evidence-unreadable',
      `could not take a manifest: reading ${path} failed: ${errorText(error)}`,
      {
        cause: error,
      },
    );
  }
}
