import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startChildGroup } from './child-group.ts';
import type { ChildGroup, ChildGroupOptions } from './child-group.ts';
import { isAlive } from './identity.ts';
import { groupOf, processesWithEnvironment, readProcess } from './table.ts';
import { waitUntil } from './wait.ts';

let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'restart-chaos-child-'));
});

afterEach(() => {
  expect(processesWithEnvironment('CHILD_TEST', directory)).toEqual([]);
  rmSync(directory, { recursive: true, force: true });
});

function shell(script: string, change: Partial<ChildGroupOptions> = {}): Promise<ChildGroup> {
  return startChildGroup({
    argv: ['/bin/sh', '-c', script],
    env: { PATH: process.env['PATH'] ?? '', CHILD_TEST: directory },
    cwd: directory,
    logFile: join(directory, 'log'),
    ...change,
  });
}

const log = (): string => readFileSync(join(directory, 'log'), 'utf8');

describe('a child group', () => {
  it('leads a session and group of its own, reads an empty input, and writes both streams to its log', async () => {
    const child = await shell('cat; echo out; echo err >&2; exec sleep 60');
    await waitUntil({
      what: 'the output',
      probe: async () => (log() === 'out\nerr\n' ? true : null),
      timeoutMs: 5000,
      intervalMs: 10,
    });
    expect(readProcess(child.identity.pid)?.groupId).toBe(child.identity.pid);
    expect(child.exit()).toBeNull();
    expect(child.signal('SIGTERM', 'leader')).toBe(true);
    const record = await child.exited;
    expect(record).toMatchObject({ signal: 'SIGTERM', code: null });
    expect(record.atMs).toBeLessThanOrEqual(performance.now());
    expect(child.exit()).toEqual(record);
    expect(readProcess(child.identity.pid)).toBeNull();
    expect(child.signal('SIGTERM', 'leader')).toBe(false);
  });

  it('appends to a log that is there already', async () => {
    await (
      await shell('echo one')
    ).exited;
    await (
      await shell('echo two')
    ).exited;
    expect(log()).toBe('one\ntwo\n');
  });

  it('has an identity and an exit even when it ended at once', async () => {
    const child = await shell('exit 3');
    expect(child.identity.startTime).not.toBe('');
    expect(await child.exited).toMatchObject({ signal: null, code: 3 });
    expect(isAlive(child.identity)).toBe(false);
  });

  it('is signalled as a group after its leader is gone', async () => {
    const child = await shell('sleep 60 & sleep 60 & wait');
    await waitUntil({
      what: 'the group',
      probe: async () => (groupOf(child.identity).length === 3 ? true : null),
      timeoutMs: 5000,
      intervalMs: 10,
    });
    child.signal('SIGKILL', 'leader');
    expect(await child.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(groupOf(child.identity)).toHaveLength(2);
    expect(child.signal('SIGKILL', 'group')).toBe(true);
    await waitUntil({
      what: 'the end of the group',
      probe: async () => (groupOf(child.identity).length === 0 ? true : null),
      timeoutMs: 5000,
      intervalMs: 10,
    });
    expect(child.signal('SIGKILL', 'group')).toBe(false);
  });
});

describe('a child group that cannot be started', () => {
  it.each<[string, Partial<ChildGroupOptions>]>([
    ['the program is missing', { argv: ['/no/such/program'] }],
    ['nothing is named', { argv: [] }],
    ['the directory is missing', { cwd: '/no/such/directory' }],
    ['the log cannot be opened', { logFile: '/no/such/directory/log' }],
  ])('rejects with what was tried when %s', async (_, change) => {
    await expect(shell('true', change)).rejects.toMatchObject({
      name: 'HarnessError',
      message: expect.stringContaining('could not start'),
    });
  });
});

// Changing the user needs root; without it the same call has to be refused.
describe('a child group of another user', () => {
  const change = { uid: 65_534, gid: 65_534 };

  it.runIf(process.getuid?.() === 0)('runs as that user and writes to a log that the user may not open', async () => {
    chmodSync(directory, 0o711);
    await (
      await shell('id -u; id -g', change)
    ).exited;
    expect(log()).toBe('65534\n65534\n');
  });

  it.runIf(process.getuid?.() !== 0)('rejects when this user may not change to that one', async () => {
    await expect(shell('true', { uid: 0, gid: 0 })).rejects.toMatchObject({ name: 'HarnessError' });
  });
});
