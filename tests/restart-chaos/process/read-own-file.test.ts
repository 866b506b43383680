import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readOwnFile } from './read-own-file.ts';

let directory = '';
let root = '';
const inRoot = (name: string): string => join(root, name);
const read = (name: string, maxBytes = 1_000): Promise<Buffer | null> => readOwnFile(root, name, maxBytes);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'restart-chaos-read-'));
  root = join(directory, 'root');
  mkdirSync(join(root, 'deep'), { recursive: true });
  writeFileSync(join(directory, 'secret'), 'of the operator');
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('a file of an agent', () => {
  it('is read with its bytes, up to exactly the limit', async () => {
    writeFileSync(inRoot('deep/file'), Buffer.from([0, 255, 10]));
    expect(await read('deep/file', 3)).toEqual(Buffer.from([0, 255, 10]));
    writeFileSync(inRoot('empty'), '');
    expect(await read('empty')).toHaveLength(0);
  });

  it('is null when it, its directory or the root is not there', async () => {
    expect(await read('missing')).toBeNull();
    expect(await read('deep/missing/file')).toBeNull();
    writeFileSync(inRoot('file'), '');
    expect(await read('file/below')).toBeNull();
    expect(await readOwnFile(join(directory, 'nowhere'), 'file', 10)).toBeNull();
  });

  it('is read below a root that is itself reached through a link', async () => {
    writeFileSync(inRoot('file'), 'text');
    symlinkSync(root, join(directory, 'alias'));
    expect((await readOwnFile(join(directory, 'alias'), 'file', 10))?.toString()).toBe('text');
  });
});

describe('what an agent can put in its place', () => {
  it.each<[string, () => void, string]>([
    ['a pipe that nobody writes to', () => execFileSync('mkfifo', [inRoot('it')]), 'it is no regular file'],
    ['a directory', () => mkdirSync(inRoot('it')), 'it is no regular file'],
    ['a link to a file outside', () => symlinkSync(join(directory, 'secret'), inRoot('it')), 'it is no regular file'],
    ['a link to a device without end', () => symlinkSync('/dev/zero', inRoot('it')), 'it is no regular file'],
    ['a link to nothing', () => symlinkSync('nothing', inRoot('it')), 'it is no regular file'],
    ['a file over the limit', () => writeFileSync(inRoot('it'), 'x'.repeat(1_001)), 'it has more than 1000 bytes'],
  ])('%s is refused at once', async (_, put, reason) => {
    put();
    await expect(read('it')).rejects.toMatchObject({
      code: 'evidence-unreadable',
      message: `${inRoot('it')} is not read: ${reason}`,
    });
  });

  it('a file of terabytes is refused without being read', async () => {
    writeFileSync(inRoot('it'), '');
    truncateSync(inRoot('it'), 2 ** 42);
    await expect(read('it')).rejects.toMatchObject({ code: 'evidence-unreadable' });
  });

  it('a directory that leads out is refused, by link or by name', async () => {
    symlinkSync(directory, inRoot('out'));
    await expect(read('out/secret')).rejects.toThrow('it lies outside');
    await expect(read('../secret')).rejects.toThrow('it lies outside');
  });

  it('a directory link that stays inside is followed', async () => {
    writeFileSync(inRoot('deep/file'), 'text');
    symlinkSync('deep', inRoot('alias'));
    expect((await read('alias/file'))?.toString()).toBe('text');
    // A second name is the same file, not another one in its place.
    linkSync(inRoot('deep/file'), inRoot('twin'));
    expect((await read('twin'))?.toString()).toBe('text');
  });
});
