import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OracleCommandResult } from '../model/evidence.ts';
import { findSandbox } from './find-sandbox.ts';
import { findPython } from './python.ts';
import { runInSandbox } from './run.ts';
import type { SandboxOptions } from './run.ts';

let directory: string;
const path = process.env['PATH'];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'restart-chaos-test-'));
});

afterEach(async () => {
  process.env['PATH'] = path;
  const processes = execFileSync('ps', ['-axww', '-o', 'args='], { encoding: 'utf8' });
  expect(processes).not.toContain(directory);
  await rm(directory, { recursive: true });
});

async function run(argv: readonly string[], more: Partial<SandboxOptions> = {}): Promise<OracleCommandResult> {
  const worktree = join(directory, 'worktree');
  await mkdir(worktree, { recursive: true });
  return await runInSandbox({
    argv,
    directory: worktree,
    timeoutMs: 20_000,
    memoryBytes: 512 * 1024 ** 2,
    outputLimitBytes: 65_536,
    allowUnsandboxed: false,
    ...more,
  });
}

/** A PATH with what is needed to run Python, and without any sandbox. */
async function hideSandbox(): Promise<void> {
  const python = await findPython();
  const programs = join(directory, 'programs');
  await mkdir(programs);
  await symlink(python.kind === 'python' ? python.path : 'missing', join(programs, 'python3'));
  await symlink('/usr/bin/env', join(programs, 'env'));
  process.env['PATH'] = programs;
}

describe('runInSandbox', { timeout: 30_000 }, () => {
  test('runs the tests of a Python project on a copy and leaves the original as it was', async () => {
    const worktree = join(directory, 'worktree');
    await mkdir(join(worktree, 'tests'), { recursive: true });
    await writeFile(join(worktree, '.git'), 'gitdir: /somewhere');
    await writeFile(join(worktree, 'tests', '__init__.py'), '');
    await writeFile(
      join(worktree, 'tests', 'test_it.py'),
      'import os, unittest\nclass T(unittest.TestCase):\n  def test_it(self):\n    open("made", "w").close()\n    self.assertFalse(os.path.exists(".git"))\n',
    );
    const result = await run(['python3', '-I', '-B', '-m', 'unittest']);
    expect(result).toMatchObject({
      outcome: 'exited',
      exitCode: 0,
      signal: null,
      argv: ['python3', '-I', '-B', '-m', 'unittest'],
    });
    expect(result.output).toMatch(/Ran 1 test/);
    expect((await readdir(worktree)).sort()).toEqual(['.git', 'tests']);
    expect(await readdir(join(worktree, 'tests'))).toHaveLength(2);
  });

  test('uses the library of the very interpreter it was given, also when that lives below a closed home', async () => {
    const python = await findPython();
    expect(python.kind).toBe('python');
    const result = await run([
      'python3',
      '-I',
      '-c',
      'import sys, unittest; print(sys.version.split()[0], unittest.__file__)',
    ]);
    if (python.kind === 'python') expect(result.output).toContain(`${python.version} ${python.prefix}/`);
  });

  test('tells a failed command from one that could not be run', async () => {
    expect(await run(['sh', '-c', 'echo bad; exit 7'])).toMatchObject({
      outcome: 'exited',
      exitCode: 7,
      output: 'bad\n',
    });
    const missing = await run(['true'], { directory: join(directory, 'nowhere') });
    expect(missing).toMatchObject({ outcome: 'refused', exitCode: null });
    expect(missing.output).toContain('nowhere');
  });

  test('does not follow a link of the worktree to a file outside', async () => {
    await writeFile(join(directory, 'secret'), 'do not tell');
    await mkdir(join(directory, 'worktree'));
    await symlink(join(directory, 'secret'), join(directory, 'worktree', 'link'));
    const result = await run(['cat', 'link']);
    expect(result.exitCode).not.toBe(0);
    expect(result.output).not.toContain('do not tell');
  });

  test('shows a path it was told to show, read-only, and never the whole home', async () => {
    const shared = join(directory, 'closed', 'shared');
    await mkdir(shared, { recursive: true });
    await writeFile(join(shared, 'file'), 'shown');
    await chmod(join(directory, 'closed'), 0o700);
    const argv = ['sh', '-c', `cat ${shared}/file; echo changed > ${shared}/file`];
    const result = await run(argv, { readOnlyPaths: [shared] });
    expect(result.output).toMatch(/^shown/);
    expect(result.exitCode).not.toBe(0);
    expect(await readFile(join(shared, 'file'), 'utf8')).toBe('shown');
    expect(await run(['true'], { readOnlyPaths: [homedir()] })).toMatchObject({
      outcome: 'refused',
      output: expect.stringContaining("operator's whole home"),
    });
  });

  test('refuses where no sandbox can be found, and says how to get one', async () => {
    await hideSandbox();
    expect(await findSandbox()).toMatchObject({ kind: 'none' });
    const result = await run(['python3', '-c', 'print("ran")']);
    expect(result).toMatchObject({ outcome: 'refused', sandbox: 'none', exitCode: null });
    expect(result.output).toMatch(/--allow-unsandboxed-oracles/);
    if (process.platform === 'linux') expect(result.output).toMatch(/apt install bubblewrap/);
  });

  test('runs unconfined only when that was allowed, still on a copy and within limits', async () => {
    await hideSandbox();
    const program = 'import os; open("made", "w"); print(sorted(os.environ))';
    const result = await run(['python3', '-I', '-c', program], { allowUnsandboxed: true });
    expect(result).toMatchObject({ outcome: 'exited', sandbox: 'none', exitCode: 0 });
    expect(result.output).toMatch(/'HOME', 'LANG', (?:'LC_CTYPE', )?'PATH', (?:'PWD', )?'TMPDIR'/);
    expect(await readdir(join(directory, 'worktree'))).toEqual([]);
    const hog = await run(['python3', '-c', 'bytearray(1024 ** 3)'], { allowUnsandboxed: true });
    if (process.platform === 'linux') expect(hog.outcome).toBe('memory_limit');
  });

  test('does not take a sandbox for one that is there and does not work', async () => {
    const programs = join(directory, 'programs');
    await mkdir(programs);
    for (const name of ['bwrap', 'sandbox-exec']) {
      await writeFile(join(programs, name), '#!/bin/sh\necho no permission >&2\nexit 1\n', { mode: 0o755 });
    }
    process.env['PATH'] = programs;
    expect(await findSandbox()).toMatchObject({ kind: 'none', reason: expect.stringContaining('no permission') });
  });
});
