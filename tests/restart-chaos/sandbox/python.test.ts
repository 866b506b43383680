import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isWithin } from './paths.ts';
import { findPython } from './python.ts';

let directory: string;
const path = process.env['PATH'];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'restart-chaos-test-'));
});

afterEach(async () => {
  process.env['PATH'] = path;
  await rm(directory, { recursive: true });
});

describe('findPython', { timeout: 30_000 }, () => {
  test('names the real interpreter behind a wrapper, and the prefix it lives in', async () => {
    const python = await findPython();
    if (python.kind === 'none') throw new Error(python.reason);
    expect(python.path).not.toMatch(/shims/);
    expect(isWithin(python.path, python.prefix)).toBe(true);
    expect(python.version).toMatch(/^3\.\d+\.\d+/);
    await writeFile(join(directory, 'python3'), `#!/bin/sh\nexec ${python.path} "$@"\n`, { mode: 0o755 });
    process.env['PATH'] = directory;
    expect(await findPython()).toEqual(python);
  });

  test('says why there is none: not on PATH, or not working', async () => {
    process.env['PATH'] = directory;
    expect(await findPython()).toMatchObject({ kind: 'none', reason: expect.stringContaining('apt install python3') });
    await symlink('/bin/false', join(directory, 'python3'));
    expect(await findPython()).toMatchObject({ kind: 'none', reason: expect.stringContaining('exit code 1') });
  });
});
