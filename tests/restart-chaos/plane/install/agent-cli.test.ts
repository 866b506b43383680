import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HarnessError, UsageError } from '../../model/errors.ts';
import type { InstalledTarget } from '../install.ts';
import { installAgentCli } from './agent-cli.ts';

const fixtures = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'npm');
const pathBefore = process.env['PATH'] ?? '';
const platform = `${process.platform}-${process.arch}`;
let directory: string;
let cache: string;
let log: string;
let target: InstalledTarget;
let progress: string[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'restart-chaos-agent-cli-'));
  [cache, log] = [join(directory, 'cache'), join(directory, 'npm.log')];
  progress = [];
  process.env['PATH'] = `${fixtures}${delimiter}${pathBefore}`;
  process.env['FAKE_NPM_LOG'] = log;
  process.env['FAKE_NPM_PROGRAM'] = `vendor/${codexTriple()}/bin/codex`;
  await writeFile(log, '');
  target = {
    text: 'paperclip@1.2.3',
    version: '1.2.3',
    entry: '',
    nodeArguments: [],
    directory: join(directory, 'target'),
    sizeBytes: 1,
    commit: null,
  };
});

afterEach(async () => {
  process.env['PATH'] = pathBefore;
  for (const name of ['FAKE_NPM', 'FAKE_NPM_LOG', 'FAKE_NPM_PROGRAM']) delete process.env[name];
  await rm(directory, { recursive: true, force: true });
});

function codexTriple(): string {
  const system = process.platform === 'darwin' ? 'apple-darwin' : 'unknown-linux-musl';
  return `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-${system}`;
}

const install = (): Promise<string> =>
  installAgentCli('codex', target, { cacheDirectory: cache, progress: (line) => progress.push(line) });
const npmCalls = async (): Promise<readonly string[]> => (await readFile(log, 'utf8')).trim().split('\n');

async function writeLibrary(): Promise<void> {
  const library = join(target.directory, 'node_modules', '@openai', 'codex');
  const optionalDependencies = { [`@openai/codex-${platform}`]: `npm:@openai/codex@7.8.9-${platform}` };
  await mkdir(library, { recursive: true });
  await writeFile(join(library, 'package.json'), JSON.stringify({ optionalDependencies }));
}

test('is installed in the version that the library of the target names, and once only', async () => {
  await writeLibrary();
  const path = await install();
  expect(path).toContain(join(cache, 'agents', `@openai+codex-${platform}@7.8.9-${platform}`));
  expect(await install()).toBe(path);
  const calls = await npmCalls();
  expect(calls).toHaveLength(1);
  expect(calls[0]).toContain('--ignore-scripts');
  expect(calls[0]?.endsWith(`@openai/codex-${platform}@npm:@openai/codex@7.8.9-${platform}`)).toBe(true);
  expect(progress).toHaveLength(1);
});

test('a target that shows no library gets the pinned version', async () => {
  expect(await install()).toContain(`@0.156.1-${platform}`);
});

test('what a killed install left is removed, and never taken for the program', async () => {
  const left = join(cache, 'agents', `.installing-@openai+codex-${platform}@0.156.1-${platform}-12345678`);
  await mkdir(left, { recursive: true });
  await install();
  expect((await readdir(join(cache, 'agents'))).filter((name) => name.startsWith('.installing'))).toEqual([]);
});

test('a part without its program is a harness error that says where it was looked for', async () => {
  process.env['FAKE_NPM_PROGRAM'] = 'bin/another';
  await expect(install()).rejects.toThrow(HarnessError);
  await expect(install()).rejects.toThrow(/has no program vendor\/.*looked for/);
});

test('a file that cannot be run is no program', async () => {
  await chmod(await install(), 0o644);
  await install();
  expect(await npmCalls()).toHaveLength(2);
});

test('without a registry it is refused before anything starts', async () => {
  process.env['FAKE_NPM'] = 'no-registry';
  await expect(install()).rejects.toThrow(UsageError);
  expect(await readdir(join(cache, 'agents'))).toEqual([]);
});
