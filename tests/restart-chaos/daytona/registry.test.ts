/** The `image` command whole: a real registry on loopback, the real skopeo, an image named by its digest. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../fixtures/image/image-layout.ts';
import {
  elf,
  missingPrograms as missing,
  plainRevision as revision,
  startRunnerRegistry,
  type MadeImage,
  type RunnerRegistry,
} from '../../fixtures/image/runner-registry.ts';
import { parseReference } from '../model/image-reference.ts';
import { provideImage, pruneImages } from './image-cache.ts';
import { runnerPath } from './wanted-paths.ts';

const note = missing.length === 0 ? '' : ` (skipped: no program ${missing.join(', ')} on PATH)`;
let registry: RunnerRegistry;

beforeAll(async () => {
  if (missing.length === 0) registry = await startRunnerRegistry();
});
afterAll(async () => {
  if (missing.length === 0) await registry.stop();
});

const main = join(import.meta.dirname, '..', '..', '..', 'main.ts');
const push = async (made?: MadeImage): Promise<string> => await registry.push(made);
const provide = async (text: string, directory: string) =>
  await provideImage(parseReference(text), { directory, bytesMax: 1 << 30, progress: () => undefined });

describe.skipIf(missing.length > 0)(`an image in a registry${note}`, () => {
  it('is extracted with a receipt, without its blobs, and is there at once the second time', async () => {
    const text = await push();
    const results = join(registry.root, 'results');
    const run = () =>
      spawnSync('npx', ['tsx', main, 'image', text, '--results', results, '--json'], { encoding: 'utf8' });
    const first = run();
    expect(first.stderr).toContain('reading 2 layers from the top down');
    expect(first.status).toBe(0);
    const answer = JSON.parse(first.stdout) as { treeDirectory: string; wasCached: boolean };
    expect(answer).toMatchObject({
      image: text,
      runnerSourceRevision: revision,
      contentId: 'content-1',
      wasCached: false,
    });
    expect(readFileSync(join(answer.treeDirectory, runnerPath))).toEqual(elf());
    const hex = text.slice(-64);
    expect(await readdir(join(results, 'daytona-images'))).toEqual([hex]);
    expect((await readdir(join(results, 'daytona-images', hex))).sort()).toEqual(['receipt.json', 'tree']);
    const second = run();
    expect(JSON.parse(second.stdout)).toMatchObject({ wasCached: true });
    expect(second.stderr).toBe('');
  });

  it.each([
    { what: 'a program of another machine', made: { program: elf(183) }, says: /no ELF program for x86-64/ },
    { what: 'a script', made: { program: Buffer.from('#!/bin/sh\n'.repeat(9)) }, says: /no ELF program/ },
    {
      what: 'a pack of another build',
      made: { packRevision: 'b'.repeat(40) },
      says: /was built from b{40}.* says a{40}/,
    },
    { what: 'a pack without a revision', made: { packRevision: 'main' }, says: /runnerSourceRevision/ },
  ])('is refused for $what, and nothing of it stays', async ({ made, says }) => {
    const directory = await mkdtemp(join(registry.root, 'images-'));
    await expect(provide(await push(made), directory)).rejects.toThrow(says);
    expect(await readdir(directory)).toEqual([]);
  });

  it('is refused when the registry does not have the digest', async () => {
    const directory = await mkdtemp(join(registry.root, 'images-'));
    const text = `127.0.0.1:${registry.port}/test/runner@${sha256('nothing')}`;
    await expect(provide(text, directory)).rejects.toThrow(/manifest unknown/);
    expect(await readdir(directory)).toEqual([]);
  });

  it('leaves the cache when it was used longest ago and all are too large', async () => {
    const directory = await mkdtemp(join(registry.root, 'images-'));
    const old = await push();
    const fresh = await push({ program: Buffer.concat([elf(), Buffer.from('other')]) });
    await provide(fresh, directory);
    await provide(old, directory);
    await provide(fresh, directory);
    await pruneImages({ directory, bytesMax: 1000, progress: () => undefined, keep: fresh.slice(-64) });
    expect(await readdir(directory)).toEqual([fresh.slice(-64)]);
  });

  it('leaves the cache by command, all of them where nothing may stay', async () => {
    const results = await mkdtemp(join(registry.root, 'prune-'));
    const directory = join(results, 'daytona-images');
    await provide(await push(), directory);
    const prune = (gib: string) =>
      spawnSync('npx', ['tsx', main, 'prune-images', '--results', results, '--images-gib', gib], { encoding: 'utf8' });
    expect(prune('1').stdout).toContain(' MB in ');
    expect(await readdir(directory)).toHaveLength(1);
    expect(prune('0').stderr).toContain('removed image sha256:');
    expect(await readdir(directory)).toEqual([]);
    expect(prune('').status).toBe(3);
    expect(prune('-1').stderr).toContain('--images-gib takes a number from 0 on; got "-1"');
  });
});
