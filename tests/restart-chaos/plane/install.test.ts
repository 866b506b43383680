import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HarnessError, UsageError } from '../model/errors.ts';
import { parseTarget } from '../model/target.ts';
import { processesWithEnvironment } from '../process/table.ts';
import { installTarget } from './install.ts';

// Each install starts several real processes; a busy machine takes its time.
vi.setConfig({ testTimeout: 30_000 });

const fixtures = join(import.meta.dirname, '..', '..', 'fixtures', 'npm');
const target = parseTarget('paperclip@2026.916.1');
const pathBefore = process.env.PATH ?? '';
let directory: string;
let cache: string;
let log: string;
let progress: string[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'restart-chaos-install-'));
  cache = join(directory, 'cache');
  log = join(directory, 'npm.log');
  progress = [];
  process.env.PATH = `${fixtures}${delimiter}${pathBefore}`;
  process.env.FAKE_NPM_LOG = log;
  await writeFile(log, '');
});

afterEach(async () => {
  expect(processesWithEnvironment('FAKE_NPM_LOG', log)).toEqual([]);
  process.env.PATH = pathBefore;
  for (const name of ['FAKE_NPM', 'FAKE_NPM_LOG', 'FAKE_NPM_DELAY_MS']) delete process.env[name];
  await rm(directory, { recursive: true, force: true });
});

const install = () => installTarget(target, { cacheDirectory: cache, progress: (line) => progress.push(line) });
const npmCalls = async () => (await readFile(log, 'utf8')).trim().split('\n').filter(Boolean);
const inTargets = async () => (await readdir(join(cache, 'targets'))).sort();

async function refusalOf(act: Promise<unknown>): Promise<Error> {
  return await act.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error as Error,
  );
}

describe('a published target', () => {
  it('is installed without scripts and optional parts, plus the native parts of this platform, with a receipt', async () => {
    const installed = await install();
    const calls = await npmCalls();
    expect(calls).toHaveLength(2);
    expect(calls[0]).toContain('--ignore-scripts --omit=optional');
    expect(calls[0]).toMatch(/@paperclipai\/server@2026\.916\.1$/);
    expect(calls[1]).toContain('--ignore-scripts --omit=optional');
    expect(calls[1]?.endsWith(` @img/sharp-${process.platform}-${process.arch}@7.8.9`)).toBe(true);
    expect(installed).toMatchObject({
      text: 'paperclip@2026.916.1',
      version: '2026.916.1',
      nodeArguments: [],
      commit: null,
    });
    expect(installed.entry).toBe(
      join(cache, 'targets/paperclip@2026.916.1/node_modules/@paperclipai/server/dist/index.js'),
    );
    expect(installed.sizeBytes).toBeGreaterThan(0);
    expect(progress.at(-1)).toMatch(/^installed paperclip@2026\.916\.1: \d+ MB in \d+ s$/);
    expect(await inTargets()).toEqual(['paperclip@2026.916.1']);
    expect(JSON.parse(await readFile(join(installed.directory, 'receipt.json'), 'utf8'))).toEqual({
      schema: 1,
      package: '@paperclipai/server',
      version: '2026.916.1',
      platform: `${process.platform}-${process.arch}`,
      sizeBytes: installed.sizeBytes,
      installedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      npmVersion: '99.0.0',
      lockSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('is reused without npm when its receipt is there, and installed again when the receipt is torn or foreign', async () => {
    const first = await install();
    const receiptFile = join(first.directory, 'receipt.json');
    const receipt = await readFile(receiptFile, 'utf8');
    process.env.PATH = '/nonexistent';
    expect(await install()).toEqual(first);
    await writeFile(receiptFile, receipt.slice(0, 40));
    await expect(install()).rejects.toThrow('no program "npm"');
    await writeFile(receiptFile, receipt.replace(process.platform, 'plan9'));
    await expect(install()).rejects.toThrow('no program "npm"');
    process.env.PATH = `${fixtures}${delimiter}${pathBefore}`;
    await install();
    expect(await npmCalls()).toHaveLength(4);
  });

  it('is installed once when two processes and two calls ask for it at the same time', async () => {
    process.env.FAKE_NPM_DELAY_MS = '400';
    const program = join(fixtures, 'install-target.ts');
    const start = () => execa(process.execPath, [program, target.text, cache]);
    const [one, two, ...here] = await Promise.all([start(), start(), install(), install()]);
    const answers = [one, two].map(({ stdout }) => (JSON.parse(stdout) as { installed: unknown }).installed);
    expect(new Set([...answers, ...here].map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await npmCalls()).toHaveLength(2);
    expect(await inTargets()).toEqual(['paperclip@2026.916.1']);
  });

  it('takes over the lock of a process that is gone, and removes what that one left', async () => {
    const targets = join(cache, 'targets');
    await mkdir(join(targets, '.installing-paperclip@2026.916.1-dead', 'node_modules'), { recursive: true });
    // This process lives, but did not start at that time: the pid was given to somebody else.
    const holder = JSON.stringify({ pid: process.pid, startTime: 'long ago', token: 'x' });
    await writeFile(join(targets, 'paperclip@2026.916.1.lock'), holder);
    await install();
    expect(await inTargets()).toEqual(['paperclip@2026.916.1']);
  });

  it.each([
    { npm: 'no-registry', says: /the registry cannot be reached[\s\S]*getaddrinfo ENOTFOUND/ },
    {
      npm: 'no-version',
      says: /no such version[\s\S]*No matching version found for @paperclipai\/server@2026\.916\.1/,
    },
  ])('is refused with what npm said when npm ends with $npm', async ({ npm, says }) => {
    process.env.FAKE_NPM = npm;
    const error = await refusalOf(install());
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toMatch(says);
    expect((error as UsageError).problems).toHaveLength(1);
    expect(await inTargets()).toEqual([]);
  });

  it('is refused when there is no npm', async () => {
    process.env.PATH = '/nonexistent';
    const error = await refusalOf(install());
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toContain('no program "npm" on PATH');
  });

  it.each([
    { npm: 'no-entry', says: /it has no node_modules\/@paperclipai\/server\/dist\/index\.js/ },
    { npm: 'broken-native', says: /its image library does not load/ },
  ])('is not kept when npm succeeded but left $npm', async ({ npm, says }) => {
    process.env.FAKE_NPM = npm;
    const error = await refusalOf(install());
    expect(error).toBeInstanceOf(HarnessError);
    expect((error as HarnessError).code).toBe('target-install-failed');
    expect(error.message).toMatch(says);
    expect(await inTargets()).toEqual([]);
  });

  it('ends npm and leaves nothing when it is interrupted', async () => {
    process.env.FAKE_NPM_DELAY_MS = '60000';
    const interrupt = new AbortController();
    const asked = installTarget(target, { cacheDirectory: cache, progress: () => undefined, signal: interrupt.signal });
    setTimeout(() => interrupt.abort(), 400);
    expect((await refusalOf(asked)).message).toContain('interrupted');
    expect(await inTargets()).toEqual([]);
  });
});

describe('a checkout', () => {
  const verify = () =>
    installTarget(parseTarget(`paperclip:${directory}`), { cacheDirectory: cache, progress: () => undefined });
  const writeServer = async (built: boolean) => {
    const server = join(directory, 'server');
    await mkdir(join(server, 'dist'), { recursive: true });
    await writeFile(join(server, 'package.json'), '{"name":"@paperclipai/server","version":"1.2.3"}');
    if (built) await writeFile(join(server, 'dist', 'index.js'), '');
    return server;
  };

  it('is refused when there is no server package in it', async () => {
    expect((await refusalOf(verify())).message).toContain('no package @paperclipai/server');
  });

  it('is refused when the server is not built, and says how', async () => {
    await writeServer(false);
    const error = await refusalOf(verify());
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).toMatch(/not built: .*dist\/index\.js is missing.*pnpm build/);
  });

  it('is refused when the directory does not exist', async () => {
    const asked = installTarget(parseTarget('paperclip:/nonexistent/checkout'), {
      cacheDirectory: cache,
      progress: () => undefined,
    });
    expect((await refusalOf(asked)).message).toContain('there is no directory /nonexistent/checkout');
  });

  it('is taken with its version, its loader, and no commit outside git', async () => {
    const server = await writeServer(true);
    await mkdir(join(server, 'node_modules/tsx/dist'), { recursive: true });
    const loader = join(server, 'node_modules/tsx/dist/loader.mjs');
    await cp(join(server, 'dist', 'index.js'), loader);
    expect(await verify()).toEqual({
      text: `paperclip:${directory}`,
      version: '1.2.3',
      entry: join(server, 'dist', 'index.js'),
      nodeArguments: ['--import', loader],
      directory,
      sizeBytes: 0,
      commit: null,
    });
  });

  it('has the commit of git, and says when files differ from it', async () => {
    const server = await writeServer(true);
    const git = (...args: string[]) =>
      execa('git', ['-C', directory, '-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args]);
    await git('init', '-q');
    await git('add', 'server');
    await git('commit', '-q', '-m', 'start');
    const commit = (await git('rev-parse', 'HEAD')).stdout;
    expect((await verify()).commit).toBe(commit);
    await writeFile(join(server, 'dist', 'index.js'), '// changed');
    expect((await verify()).commit).toBe(`${commit}+dirty`);
  });
});
