import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { pathWithPython } from '../../fixtures/programs/path-with-python.ts';
import { HarnessError } from '../model/errors.ts';
import { prepareRepository } from './repository.ts';

let directory: string;
let python: { readonly env: NodeJS.ProcessEnv; readonly encoding: 'utf8' };

beforeAll(async () => {
  python = { env: { ...process.env, PATH: await pathWithPython() }, encoding: 'utf8' };
});

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'restart-chaos-repository-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

const git = (...argv: readonly string[]): string =>
  execFileSync('git', ['-C', directory, ...argv], { encoding: 'utf8' }).trim();

function runTests(): { readonly status: number | null; readonly output: string } {
  const { status, stderr } = spawnSync('python3', ['-B', '-m', 'unittest'], { ...python, cwd: directory });
  return { status, output: stderr };
}

test('the repository is one clean commit on main, the same every time', async () => {
  const commit = await prepareRepository(directory);
  expect(git('status', '--porcelain')).toBe('');
  expect(git('branch', '--show-current')).toBe('main');
  expect(git('rev-list', '--count', 'HEAD')).toBe('1');
  const again = join(directory, 'again');
  expect(await prepareRepository(again)).toBe(commit);
});

test('a directory that is not empty is refused and left as it is', async () => {
  writeFileSync(join(directory, 'mine'), '');
  await expect(prepareRepository(directory)).rejects.toThrow(HarnessError);
  await expect(prepareRepository(directory)).rejects.toThrow(/empty directory.*mine/);
});

test('chaos-sandbox has exactly one failing test, and mending the median makes all pass', async () => {
  await prepareRepository(directory);
  const before = runTests();
  expect(before.status).toBe(1);
  expect(before.output).toContain('FAIL: test_median_of_an_even_count');
  expect(before.output).toContain('FAILED (failures=1)');
  const program = join(directory, 'chaostool/figures.py');
  const text = readFileSync(program, 'utf8');
  expect(text.split('ordered[-middle]')).toHaveLength(2);
  writeFileSync(program, text.replace('ordered[-middle]', 'ordered[middle - 1]'));
  expect(runTests()).toMatchObject({ status: 0, output: expect.stringContaining('OK') as string });
});

test('the command line works as its README shows', async () => {
  await prepareRepository(directory);
  const run = (input: string, ...argv: readonly string[]): string =>
    execFileSync('python3', ['-B', '-m', 'chaostool', ...argv], { ...python, cwd: directory, input });
  expect(run('3\n1\n2\n', 'mean')).toBe('2\n');
  expect(run('3\n1\n2\n', 'median')).toBe('2\n');
  expect(run('3\n1\n2\n', 'spread')).toBe('2\n');
  expect(run('b a b\n', 'top', '--limit', '1')).toBe('2 b\n');
});
