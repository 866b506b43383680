import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cloneHome, ensureTemplate, templateKey } from './template.ts';
import type { Template } from './template.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'restart-chaos-template-'));
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

const published = {
  text: 'paperclip@2026.916.1',
  version: '2026.916.1',
  entry: '',
  nodeArguments: [],
  directory: '',
  sizeBytes: 0,
  commit: null,
};
const checkout = { ...published, text: 'paperclip:/src/paperclip', commit: 'abc' };

describe('the key of a template', () => {
  it.each([
    { of: 'a published version', installed: published, key: 'paperclip-2026.916.1-postgres-18.4-v1' },
    { of: 'a checkout', installed: checkout, key: 'paperclip-2026.916.1-abc-postgres-18.4-v1' },
    { of: 'a checkout with changes', installed: { ...checkout, commit: 'abc+dirty' }, key: null },
    { of: 'a checkout without git', installed: { ...checkout, commit: null }, key: null },
  ])('of $of is $key', ({ installed, key }) => {
    expect(templateKey(installed, '18.4')).toBe(key);
  });
});

describe('a template', () => {
  const ensure = (fill: (template: Template) => Promise<void>) =>
    ensureTemplate({ cacheDirectory: directory, key: 'k', fill, progress: () => undefined });

  it('is filled once, by one of those who ask at once, and found afterwards', async () => {
    let filled = 0;
    const fill = async (template: Template): Promise<void> => {
      filled += 1;
      expect((await stat(template.home)).mode & 0o777).toBe(0o700);
      await writeFile(join(template.home, 'key'), 'secret');
      await mkdir(template.dataDirectory);
    };
    const [one, two] = await Promise.all([ensure(fill), ensure(fill)]);
    expect(await ensure(fill)).toEqual(one);
    expect(two).toEqual(one);
    expect(filled).toBe(1);
    expect(await readFile(join(one.home, 'key'), 'utf8')).toBe('secret');
    expect(await readdir(join(directory, 'templates'))).toEqual(['k']);
  });

  it('is not kept when filling it failed', async () => {
    await expect(ensure(() => Promise.reject(new Error('no boot')))).rejects.toThrow('no boot');
    expect(await readdir(join(directory, 'templates'))).toEqual([]);
  });
});

it('a cloned home has the same files and rights, and is its own and closed to others', async () => {
  const home = join(directory, 'home');
  await mkdir(join(home, 'secrets'), { recursive: true });
  await writeFile(join(home, 'secrets', 'master.key'), 'one', { mode: 0o600 });
  await cloneHome(home, join(directory, 'clone'));
  await writeFile(join(home, 'secrets', 'master.key'), 'two');
  expect(await readFile(join(directory, 'clone', 'secrets', 'master.key'), 'utf8')).toBe('one');
  expect((await stat(join(directory, 'clone', 'secrets', 'master.key'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(directory, 'clone'))).mode & 0o777).toBe(0o700);
  await expect(cloneHome(home, join(directory, 'clone'))).rejects.toThrow();
});
