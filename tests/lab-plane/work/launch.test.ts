/** The gate: an agent begins when it is let, and never when the plane is gone before that. */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sleep } from '../../restart-chaos/process/wait.ts';
import type { Plane } from '../plane.ts';
import { launch, type Launch } from './launch.ts';
import { endGroup, identify, isAlive } from './process.ts';
import { readExitCode, runDirectory } from './run-files.ts';

let home: string;
let plane: Plane;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'restart-chaos-launch-'));
  // Only the place of its files is asked for here.
  plane = { settings: { home } } as Plane;
});
afterEach(() => rm(home, { recursive: true }));

const start = (script: string): Promise<Launch> =>
  launch(plane, 'r1', {
    program: '/bin/sh',
    args: ['-c', script],
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '' },
  });

async function untilGone(launched: Launch): Promise<void> {
  while (isAlive(launched.process)) await sleep(10);
}

test('nothing begins before the gate opens; then output and exit code are in files', async () => {
  const launched = await start('echo begun; touch begun; exit 3');
  await sleep(300);
  expect(isAlive(launched.process)).toBe(true);
  expect(existsSync(join(home, 'begun'))).toBe(false);
  launched.open();
  await untilGone(launched);
  expect(existsSync(join(home, 'begun'))).toBe(true);
  expect(readFileSync(join(runDirectory(plane, 'r1'), 'output'), 'utf8')).toBe('begun\n');
  expect(readExitCode(plane, 'r1')).toBe(3);
});

test('a gate that is never opened lets nothing begin', async () => {
  const launched = await start('touch begun');
  launched.abandon();
  await untilGone(launched);
  expect(existsSync(join(home, 'begun'))).toBe(false);
  expect(readExitCode(plane, 'r1')).toBeNull();
});

test('a directory that is not there is an error, not a run', async () => {
  const nowhere = { program: '/bin/sh', args: [], cwd: join(home, 'nowhere'), env: {} };
  await expect(launch(plane, 'r1', nowhere)).rejects.toThrow(/ENOENT/);
});

test('the whole group ends, also a member that does not listen', async () => {
  const launched = await start(`sh -c 'trap "" TERM; echo $$ > deaf; while :; do sleep 0.1; done' & wait`);
  launched.open();
  while (!existsSync(join(home, 'deaf'))) await sleep(10);
  await sleep(100);
  const deaf = identify(Number(readFileSync(join(home, 'deaf'), 'utf8')));
  expect(deaf).not.toBeNull();
  await endGroup(launched.process, 200);
  expect(deaf !== null && isAlive(deaf)).toBe(false);
  expect(readExitCode(plane, 'r1')).toBeNull();
});

test('another process that has the same id is not meant', () => {
  const own = identify(process.pid);
  expect(own !== null && isAlive(own)).toBe(true);
  expect(isAlive({ pid: process.pid, startMark: 'another' })).toBe(false);
});
