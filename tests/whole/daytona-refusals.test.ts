/**
 * A wave in sandboxes is refused before anything starts: with the image in a real registry, a checkout that computes its id with a
 * program of its own, and the variables that a user has. The API stands for the organisation: it must not hear of a refused wave.
 */
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  missingPrograms,
  plainRevision,
  startRunnerRegistry,
  type RunnerRegistry,
} from '../fixtures/image/runner-registry.ts';
import { runHarness, temporaryDirectory } from './run-harness.ts';

const note = missingPrograms.length === 0 ? '' : ` (skipped: no program ${missingPrograms.join(', ')} on PATH)`;
const contentId = '1'.repeat(64);
const elsewhere = `ghcr.io/x/runner@sha256:${'a'.repeat(64)}`;
const directory = temporaryDirectory();
let calls = 0;
let api: Server;
let variables: Record<string, string>;

beforeAll(async () => {
  api = createServer((_, response) => {
    calls += 1;
    response.end();
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const { port } = api.address() as AddressInfo;
  variables = { DAYTONA_API_URL: `http://127.0.0.1:${port}/api`, PAPERCLIP_E2E_DAYTONA_IMAGE: '' };
});
afterAll(async () => {
  await new Promise((resolve) => api.close(resolve));
  directory.remove();
});

/** Exit 3, the words, no wave, no call; answers what was said. */
async function refused(
  argv: readonly string[],
  { key = 'some-key', ...more }: Readonly<Record<string, string>> = {},
  ...words: readonly string[]
): Promise<string> {
  const results = join(directory.path, 'results');
  const environment = { ...variables, DAYTONA_API_KEY: key, ...more };
  const command = ['--env', 'daytona', '--seed', '1', '--workloads', 'A1', '--results', results, ...argv];
  const { exitCode, stdout, stderr } = await runHarness(command, { environment });
  expect(exitCode, stderr).toBe(3);
  for (const word of words) expect(stderr).toContain(word);
  expect(stdout).toBe('');
  expect(existsSync(join(results, 'waves')) ? readdirSync(join(results, 'waves')) : []).toEqual([]);
  expect(calls).toBe(0);
  return stderr;
}

describe('a wave in sandboxes is refused before anything starts', () => {
  test('without an image, with a tag, and with the tag in the variable', async () => {
    await refused([], {}, '--daytona-image <name>@sha256:');
    await refused(['--daytona-image', 'ghcr.io/x/runner:latest'], {}, 'without a tag');
    await refused([], { PAPERCLIP_E2E_DAYTONA_IMAGE: 'ghcr.io/x/runner:latest' }, 'without a tag');
  });

  test('without a key, before the image is looked for', async () => {
    const said = await refused(['--daytona-image', elsewhere], { key: '' }, 'set DAYTONA_API_KEY');
    expect(said).not.toContain('pulling');
  });

  test('above the budget of processors', async () => {
    const image = ['--daytona-image', elsewhere];
    await refused([...image, '--concurrency', '11'], {}, 'take 44, and a wave may take 40');
    const budget = { RESTART_CHAOS_DAYTONA_VCPU_BUDGET: '8' };
    await refused([...image, '--concurrency', '3'], budget, 'take 12, and a wave may take 8');
    // The twin gets past it, to the key.
    await refused([...image, '--concurrency', '10'], { key: '' }, 'set DAYTONA_API_KEY');
    await refused([...image, '--concurrency', '2'], { ...budget, key: '' }, 'set DAYTONA_API_KEY');
  });

  test('with an address to which a key may not go', async () => {
    const environment = { DAYTONA_API_URL: 'http://example.org/api' };
    await refused(['--daytona-image', elsewhere], environment, 'DAYTONA_API_URL takes an https address');
  });
});

describe.skipIf(missingPrograms.length > 0)(`with an image in a registry${note}`, () => {
  let registry: RunnerRegistry;
  let image: string;
  let checkout: string;

  beforeAll(async () => {
    registry = await startRunnerRegistry();
    image = await registry.push({ contentId });
    checkout = join(registry.root, 'checkout');
    // Stands for the loader of a checkout, which runs the file that it is given.
    await put(
      'cli/node_modules/tsx/dist/cli.mjs',
      'import { pathToFileURL } from "node:url"; await import(pathToFileURL(process.argv[2]).href);',
    );
    await put('tests/runner-e2e/daytona-image-content.ts', `process.stdout.write('${contentId}\\n');`);
  });
  afterAll(async () => {
    await registry.stop();
  });

  async function put(name: string, text: string): Promise<void> {
    await mkdir(dirname(join(checkout, name)), { recursive: true });
    await writeFile(join(checkout, name), text);
  }

  test('an image that the registry does not have', async () => {
    const missing = `${image.slice(0, -64)}${'0'.repeat(64)}`;
    await refused(['--daytona-image', missing], {}, '--daytona-image: ', 'manifest unknown');
  });

  test('an image of other sources: both ids and the revision of the image are named', async () => {
    const other = await registry.push({ contentId: '2'.repeat(64) });
    const target = ['--target', `paperclip:${checkout}`];
    const words = ['2'.repeat(64), contentId, plainRevision];
    await refused(['--daytona-image', other, ...target], {}, ...words);
    const silent = await registry.push({ contentId: null });
    await refused(['--daytona-image', silent, ...target], {}, 'content-id says nothing');
  });

  test('an image of these sources gets past its id, to the provider', async () => {
    const argv = ['--daytona-image', image, '--target', `paperclip:${checkout}`];
    const words = ['no built Daytona provider in', 'package.json is not there'];
    await refused(argv, {}, ...words);
    const stated = ['--daytona-image', image, '--daytona-content-id', contentId];
    await refused(stated, {}, 'paperclip@2026.916.1 comes without a Daytona provider');
    await refused(['--daytona-image', image], {}, 'comes without its sources');
  });

  test('a checkout whose program prints something else', async () => {
    const broken = join('tests', 'runner-e2e', 'daytona-image-content.ts');
    await put(broken, 'process.stderr.write("no pinned base"); process.exitCode = 1;');
    const argv = ['--daytona-image', image, '--target', `paperclip:${checkout}`];
    await refused(argv, {}, 'ended with 1', 'no pinned base');
  });
});
