import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProcessIdentity } from '../model/fault.ts';
import { startChildGroup } from './child-group.ts';
import type { ChildGroup } from './child-group.ts';
import { isolatedEnvironment } from './environment.ts';
import type { GuardianState } from './guardian-message.ts';
import { startGuardian } from './guardian.ts';
import type { Guardian } from './guardian.ts';
import { isAlive, signalProcess } from './identity.ts';
import { killUntilGone } from './kill.ts';
import { sleep, waitUntil, withinTime } from './wait.ts';

let directory = '';
let ours: ProcessIdentity[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'restart-chaos-guardian-'));
  ours = [];
});

afterEach(async () => {
  const { stillAlive } = await killUntilGone({ find: () => ours.filter(isAlive), withinMs: 5000 });
  expect(stillAlive).toEqual([]);
  rmSync(directory, { recursive: true, force: true });
});

async function startOwnGuardian(runDirectory: string, limitMs = 600_000): Promise<Guardian> {
  const wave = `w-test-${basename(directory)}`;
  const guardian = await startGuardian({ wave, runDirectory, stateFile: join(directory, 'guardian.json'), limitMs });
  ours.push(guardian.identity);
  return guardian;
}

describe('a guardian that limits a pause', () => {
  async function startTicker(): Promise<{ readonly child: ChildGroup; readonly ticks: () => number }> {
    const file = join(directory, 'ticks');
    const child = await startChildGroup({
      argv: ['/bin/sh', fileURLToPath(new URL('../../fixtures/programs/ticker.sh', import.meta.url)), file],
      env: isolatedEnvironment({}),
      cwd: directory,
      logFile: join(directory, 'ticker.log'),
    });
    ours.push(child.identity);
    const ticks = (): number => (existsSync(file) ? statSync(file).size : 0);
    await waitUntil({ what: 'a tick', probe: async () => ticks() || null, timeoutMs: 10_000, intervalMs: 20 });
    return { child, ticks };
  }

  it('does not resume after the limit was cancelled, but when it is dismissed before the limit', async () => {
    const guardian = await startOwnGuardian(directory);
    const { child, ticks } = await startTicker();
    guardian.resumeAfter(child.identity, 200);
    guardian.cancelResume(child.identity);
    child.signal('SIGSTOP', 'leader');
    await sleep(100);
    const pausedAt = ticks();
    await sleep(500);
    expect(ticks()).toBe(pausedAt);

    guardian.resumeAfter(child.identity, 60_000);
    await guardian.dismiss();
    expect(isAlive(guardian.identity)).toBe(false);
    const probe = async (): Promise<true | null> => (ticks() > pausedAt ? true : null);
    await waitUntil({ what: 'ticks after the dismissal', probe, timeoutMs: 5000, intervalMs: 20 });
    child.signal('SIGKILL', 'group');
    await child.exited;
  });
});

describe('a guardian whose harness does not close its wave', () => {
  it('ends what it watches when the limit is reached, although the harness lives', async () => {
    const guardian = await startOwnGuardian(directory, 1_500);
    const child = await startChildGroup({
      argv: ['sleep', '60'],
      env: isolatedEnvironment({}),
      cwd: directory,
      logFile: join(directory, 'sleep.log'),
    });
    ours.push(child.identity);
    guardian.watch(child.identity, 'sleeper');
    expect((await child.exited).signal).toBe('SIGKILL');
    const state = await waitUntil({
      what: 'the state file',
      probe: async () => JSON.parse(readFileSync(join(directory, 'guardian.json'), 'utf8')) as GuardianState,
      timeoutMs: 8_000,
      intervalMs: 20,
    });
    expect(state).toMatchObject({ why: 'limit_reached', stillAlive: [] });
  });
});

describe('a guardian that is not there', () => {
  it('can still be told something, and dismissed, without harm', async () => {
    const guardian = await startOwnGuardian(directory);
    expect(await withinTime(guardian.exited, 100)).toBeNull();
    signalProcess(guardian.identity, 'SIGKILL');
    // This is how the harness gets to know of it.
    await guardian.exited;
    expect(isAlive(guardian.identity)).toBe(false);
    guardian.watch(guardian.identity, 'nobody');
    await guardian.dismiss();
  });

  it('could not be started where it has no place for its log', async () => {
    await expect(startOwnGuardian(join(directory, 'missing'))).rejects.toMatchObject({
      name: 'HarnessError',
      message: expect.stringContaining('could not start the guardian'),
    });
  });
});
