import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseTarget } from '../model/target.ts';
import { installTarget } from './install.ts';
import { labPlane } from './lab/lab.ts';
import { paperclipPlane } from './paperclip/paperclip.ts';
import { planeOf } from './planes.ts';

test('the lab is part of this repository: there is nothing to install, and its program is there', async () => {
  const nowhere = { cacheDirectory: '/nonexistent', progress: () => undefined };
  const installed = await installTarget(parseTarget('lab'), nowhere);
  expect(installed).toMatchObject({ text: 'lab', version: 'lab', sizeBytes: 0 });
  expect(existsSync(installed.entry)).toBe(true);
  expect(labPlane.serverArgv(installed)).toEqual([process.execPath, installed.entry]);
});

test('a defect is an argument of its program, and one that is not there is refused', async () => {
  const nowhere = { cacheDirectory: '/nonexistent', progress: () => undefined };
  const installed = await installTarget(parseTarget('lab:zombie-run'), nowhere);
  expect(labPlane.serverArgv(installed).slice(2)).toEqual(['--defect', 'zombie-run']);
  await expect(installTarget(parseTarget('lab:zombie-run,no-such'), nowhere)).rejects.toThrow(
    /no defect no-such; it has .*zombie-run/,
  );
});

test.each([
  ['lab', labPlane],
  ['lab:zombie-run', labPlane],
  ['paperclip@2026.916.1', paperclipPlane],
  ['paperclip:../checkout', paperclipPlane],
])('%s has its description', (text, description) => {
  expect(planeOf({ text })).toBe(description);
});

test('the lab gets its place and nothing else of the harness', () => {
  const place = {
    home: '/run/home',
    tmp: '/run/tmp',
    port: 22_001,
    databaseUrl: 'postgres://chaos@127.0.0.1:22000/paperclip',
    wave: 'w-20261130T164512-s42',
    agentSecret: 'secret',
    compileCache: null,
  };
  const environment = labPlane.serverEnvironment(place, { ANTHROPIC_API_KEY: 'key' });
  expect(environment).toMatchObject({ HOME: '/run/home', PORT: '22001', DATABASE_URL: place.databaseUrl });
  expect(environment).not.toHaveProperty('ANTHROPIC_API_KEY');
});
