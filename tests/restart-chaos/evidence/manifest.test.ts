import { mkdirSync, mkdtempSync, chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { HarnessError } from '../model/errors.ts';
import { takeManifest } from './manifest.ts';

const root = mkdtempSync(join(tmpdir(), 'manifest-'));
afterAll(() => {
  chmodSync(join(root, 'closed'), 0o700);
  rmSync(root, { recursive: true });
});

mkdirSync(join(root, 'tree', 'deep', '.git'), { recursive: true });
writeFileSync(join(root, 'tree', 'b.txt'), 'abc');
writeFileSync(join(root, 'tree', '.git'), 'gitdir: elsewhere');
writeFileSync(join(root, 'tree', 'deep', '.git', 'HEAD'), 'ref');
writeFileSync(join(root, 'tree', 'deep', 'é.txt'), '');
symlinkSync('nowhere', join(root, 'tree', 'link'));
mkdirSync(join(root, 'closed'), { mode: 0 });

/** Root reads everything; the rights of another user are real rights. */
async function asOrdinaryUser<T>(act: () => Promise<T>): Promise<T> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chmodSync(root, 0o755);
    process.seteuid?.(65_534);
  }
  try {
    return await act();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

describe('takeManifest', () => {
  it('lists files by content and links by target, without what is git’s', async () => {
    const manifest = await takeManifest(join(root, 'tree'), 'before', 12);
    expect(manifest).toMatchObject({ schema: 1, moment: 'before', takenAtMs: 12 });
    expect(manifest.files).toEqual([
      {
        path: 'b.txt',
        kind: 'file',
        bytes: 3,
        sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      },
      {
        path: 'deep/é.txt',
        kind: 'file',
        bytes: 0,
        sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      },
      { path: 'link', kind: 'symlink', bytes: 7, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  it('fails on a root that is not there, instead of showing an empty one', async () => {
    await expect(takeManifest(join(root, 'gone'), 'rest', 0)).rejects.toThrow(HarnessError);
  });

  it('fails on a directory that cannot be read, and names it', async () => {
    await expect(asOrdinaryUser(() => takeManifest(root, 'rest', 0))).rejects.toThrow(
      /reading .*closed failed: EACCES/,
    );
  });
});
