/**
 * Reads a file out of a directory that an agent writes to, so that nothing the agent put there can hold the harness,
 * fill its memory or lead it to a file elsewhere. Deliberately no retries and no decoding.
 * Trap: what a path means can change between a look and the open; so what was opened is compared once more with what
 * lies at the real path inside the directory.
 */
import { constants } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { HarnessError, errorText } from '../model/errors.ts';

/**
 * The bytes of a regular file below `root`; null when nothing is there. Throws HarnessError('evidence-unreadable') for
 * everything else: a link or a path that leads out through one, a directory, pipe or device, more than `maxBytes`, or
 * what the system refuses.
 */
export async function readOwnFile(root: string, relativePath: string, maxBytes: number): Promise<Buffer | null> {
  const path = join(root, relativePath);
  try {
    const seen = await lstat(path);
    if (!seen.isFile()) throw new Error('it is no regular file');
    // Not blocking, in case a pipe takes its place before it is opened; not following, in case a link does.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      await demandInside(file, path, root);
      return await readAtMost(file, maxBytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new HarnessError('evidence-unreadable', `${path} is not read: ${errorText(error)}`, { cause: error });
  }
}

async function demandInside(file: FileHandle, path: string, root: string): Promise<void> {
  const real = await realpath(path);
  if (!real.startsWith(`${await realpath(root)}${sep}`)) throw new Error(`it lies outside, at ${real}`);
  const [opened, lying] = [await file.stat(), await lstat(real)];
  if (!opened.isFile() || opened.ino !== lying.ino || opened.dev !== lying.dev) {
    throw new Error('it was replaced while it was opened');
  }
}

/** One byte more is asked for than is allowed, because a file can grow while it is read. */
async function readAtMost(file: FileHandle, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.createReadStream({ start: 0, end: maxBytes, autoClose: false })) {
    chunks.push(chunk as Buffer);
  }
  const content = Buffer.concat(chunks);
  if (content.length > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
  return content;
}
