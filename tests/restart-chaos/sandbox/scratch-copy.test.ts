import { execFileSync } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readFile, readdir, readlink, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeScratch } from './scratch-copy.ts';

let directory: string;
const leftScratches = async (): Promise<readonly string[]> =>
  (await readdir(directory)).filter((name) => name.startsWith('restart-chaos-sandbox-'));
const temporary = process.env['TMPDIR'];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'restart-chaos-test-'));
  process.env['TMPDIR'] = directory;
});

afterEach(async () => {
  if (temporary === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = temporary;
  await rm(directory, { recursive: true });
});

describe('makeScratch', { timeout: 30_000 }, () => {
  test('copies files and links as they are, without .git and without pipes that would block', async () => {
    const worktree = join(directory, 'worktree');
    await mkdir(join(worktree, 'deep', '.git'), { recursive: true });
    await writeFile(join(worktree, '.git'), 'gitdir: elsewhere');
    await writeFile(join(worktree, 'deep', 'program'), '#!/bin/sh', { mode: 0o755 });
    await symlink('/etc/hostname', join(worktree, 'link'));
    execFileSync('mkfifo', [join(worktree, 'pipe')]);
    const scratch = await makeScratch(worktree, null);
    const work = join(scratch.path, 'work');
    expect((await readdir(work)).sort()).toEqual(['deep', 'link']);
    expect(await readdir(join(work, 'deep'))).toEqual(['program']);
    expect(await readFile(join(work, 'deep', 'program'), 'utf8')).toBe('#!/bin/sh');
    expect((await lstat(join(work, 'deep', 'program'))).mode & 0o777).toBe(0o755);
    expect(await readlink(join(work, 'link'))).toBe('/etc/hostname');
    expect(await readdir(join(scratch.path, 'home'))).toEqual([]);
    await scratch.remove();
    expect(await leftScratches()).toEqual([]);
  });

  test('refuses a worktree that is too large, and leaves nothing of the copy', async () => {
    const worktree = join(directory, 'worktree');
    await mkdir(worktree);
    await writeFile(join(worktree, 'sparse'), '');
    await truncate(join(worktree, 'sparse'), 2 * 1024 ** 3);
    await expect(makeScratch(worktree, null)).rejects.toThrow(/more than 50000 entries or 1073741824 bytes/);
    expect(await leftScratches()).toEqual([]);
  });

  test('removes also what a command has closed to everybody', async () => {
    const scratch = await makeScratch(null, null);
    const closed = join(scratch.path, 'work', 'closed');
    await mkdir(closed);
    await writeFile(join(closed, 'file'), '');
    execFileSync('chmod', ['000', closed]);
    await scratch.remove();
    expect(await leftScratches()).toEqual([]);
  });
});
