/** The `image` command whole: a real registry on loopback, the real skopeo, an image named by its digest. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256, writeLayout } from '../../fixtures/image/image-layout.ts';
import { baseEntries } from '../../fixtures/image/random-layers.ts';
import { tarOf } from '../../fixtures/image/tar-writer.ts';
import { UsageError } from '../model/errors.ts';
import { reservePort, type PortReservation } from '../process/ports.ts';
import { provideImage, pruneImages, removeTree } from './image-cache.ts';
import { parseReference } from './reference.ts';
import { packPath as pack, runnerPath } from './wanted-paths.ts';

const missing = ['skopeo', 'docker-registry'].filter((name) => spawnSync(name, ['--version']).error !== undefined);
const note = missing.length === 0 ? '' : ` (skipped: no program ${missing.join(', ')} on PATH)`;
const revision = 'a'.repeat(40);
let root: string;
let registry: ChildProcess;
let port: PortReservation;

beforeAll(async () => {
  if (missing.length > 0) return;
  root = await mkdtemp(join(tmpdir(), 'restart-chaos-registry-'));
  port = await reservePort();
  const storage = join(root, 'storage');
  await mkdir(storage);
  const config = join(root, 'registry.yml');
  await writeFile(
    config,
    `version: 0.1\nstorage:\n  filesystem:\n    rootdirectory: ${storage}\nhttp:\n  addr: 127.0.0.1:${port.port}\n`,
  );
  registry = spawn('docker-registry', ['serve', config], { stdio: 'ignore' });
  for (let look = 0; look < 200; look += 1) {
    if (
      await fetch(`http://127.0.0.1:${port.port}/v2/`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the registry did not answer within 10 s');
});

afterAll(async () => {
  if (missing.length > 0) return;
  const exited = once(registry, 'exit');
  registry.kill('SIGKILL');
  await exited;
  port.release();
  await removeTree(root);
});

interface Made {
  readonly program?: Buffer;
  readonly packRevision?: string;
  readonly label?: string;
}

/** Pushes an image; answers its reference by digest. */
async function push({ program = elf(), packRevision = revision, label = revision }: Made = {}): Promise<string> {
  const layout = await mkdtemp(join(root, 'layout-'));
  const manifest = {
    schema: 'paperclip-runner/remote-provider-pack/v1',
    digest: sha256('payload'),
    payload: {
      runnerSourceRevision: packRevision,
      distDigest: sha256('dist'),
      target: { platform: 'linux', architecture: 'x64' },
      artifacts: { productionLock: { path: 'pnpm-lock.yaml', sha256: sha256('lock') } },
    },
  };
  const top = tarOf([
    { name: runnerPath, mode: 0o755, content: program },
    { name: `${pack}/pnpm-lock.yaml`, content: 'lock' },
    { name: `${pack}/provider-pack.json`, content: JSON.stringify(manifest) },
  ]);
  const labels = { 'org.opencontainers.image.revision': label, 'io.paperclip.runner.content-id': 'content-1' };
  const image = await writeLayout(layout, [{ tar: tarOf(baseEntries) }, { tar: top }], labels);
  const name = `127.0.0.1:${port.port}/test/runner`;
  const args = ['--insecure-policy', 'copy', '--quiet', '--preserve-digests', '--dest-tls-verify=false'];
  const copied = spawnSync('skopeo', [...args, `oci:${layout}:test`, `docker://${name}:latest`], { encoding: 'utf8' });
  expect(copied.stderr).toBe('');
  return `${name}@${image.digest}`;
}

/** The first bytes of a program for Linux on x86-64. */
function elf(machine = 62): Buffer {
  const header = Buffer.alloc(64);
  header.write('7f454c46020101', 'hex');
  header.writeUInt16LE(2, 16);
  header.writeUInt16LE(machine, 18);
  return header;
}

const provide = async (text: string, directory: string) =>
  await provideImage(parseReference(text), { directory, bytesMax: 1 << 30, progress: () => undefined });

describe.skipIf(missing.length > 0)(`an image in a registry${note}`, () => {
  it('is extracted with a receipt, without its blobs, and is there at once the second time', async () => {
    const text = await push();
    const results = join(root, 'results');
    const main = join(import.meta.dirname, '..', '..', '..', 'main.ts');
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
    const directory = await mkdtemp(join(root, 'images-'));
    await expect(provide(await push(made), directory)).rejects.toThrow(says);
    expect(await readdir(directory)).toEqual([]);
  });

  it('is refused when the registry does not have the digest', async () => {
    const directory = await mkdtemp(join(root, 'images-'));
    const text = `127.0.0.1:${port.port}/test/runner@${sha256('nothing')}`;
    await expect(provide(text, directory)).rejects.toThrow(/manifest unknown/);
    expect(await readdir(directory)).toEqual([]);
  });

  it('leaves the cache when it was used longest ago and all are too large', async () => {
    const directory = await mkdtemp(join(root, 'images-'));
    const old = await push();
    const fresh = await push({ program: Buffer.concat([elf(), Buffer.from('other')]) });
    await provide(fresh, directory);
    await provide(old, directory);
    await provide(fresh, directory);
    await pruneImages({ directory, bytesMax: 1000, progress: () => undefined, keep: fresh.slice(-64) });
    expect(await readdir(directory)).toEqual([fresh.slice(-64)]);
  });
});

describe('an image is named by its digest', () => {
  it.each(['ghcr.io/x/y:latest', 'ghcr.io/x/y', `ghcr.io/x/y:1@sha256:${'a'.repeat(64)}`, 'x@sha256:abc', '-v/x'])(
    '%s is refused',
    (text) => expect(() => parseReference(text)).toThrow(UsageError),
  );

  it('only a registry on this machine is spoken to without TLS', () => {
    const digest = `@sha256:${'a'.repeat(64)}`;
    expect(parseReference(`127.0.0.1:5000/x${digest}`).isLoopback).toBe(true);
    expect(parseReference(`127.0.0.1.example.org/x${digest}`).isLoopback).toBe(false);
    expect(parseReference(`ghcr.io/x/y${digest}`).isLoopback).toBe(false);
  });
});
