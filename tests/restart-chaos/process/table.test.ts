import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { HarnessError } from '../model/errors.ts';
import { identifyProcess, isAlive, signalGroup, signalProcess } from './identity.ts';
import { killUntilGone } from './kill.ts';
import { parseStat } from './linux-process.ts';
import { parsePsEnvironment, parsePsRows } from './macos-process.ts';
import {
  groupOf,
  listProcesses,
  processesOfWave,
  processesWithEnvironment,
  readProcess,
  rootsWorkingIn,
  treeBelow,
} from './table.ts';
import { waitUntil } from './wait.ts';

const mark = randomUUID();
const started: ChildProcess[] = [];

function shell(script: string, env: Record<string, string> = {}): number {
  const child = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'] ?? '', TABLE_TEST: mark, ...env },
  });
  started.push(child);
  return child.pid ?? 0;
}

function until<T>(what: string, probe: () => T | null): Promise<T> {
  return waitUntil({ what, probe: async () => probe(), timeoutMs: 5000, intervalMs: 10 });
}

afterEach(async () => {
  await killUntilGone({ find: () => processesWithEnvironment('TABLE_TEST', mark), withinMs: 3000 });
  expect(processesWithEnvironment('TABLE_TEST', mark)).toEqual([]);
  started.length = 0;
});

describe('the identity of a process', () => {
  it('is pid and start time while it runs, and nothing after it ended', async () => {
    const pid = shell('exec sleep 60');
    const identity = await until('the process', () => identifyProcess(pid));
    expect(identity.pid).toBe(pid);
    expect(isAlive(identity)).toBe(true);
    expect(signalProcess(identity, 'SIGKILL')).toBe(true);
    await until('its end', () => (identifyProcess(pid) === null ? true : null));
    expect(isAlive(identity)).toBe(false);
    expect(signalProcess(identity, 'SIGKILL')).toBe(false);
  });

  it('is not that of a later process with the same pid, which gets no signal', async () => {
    const pid = shell('exec sleep 60');
    const identity = await until('the process', () => identifyProcess(pid));
    const former = { pid, startTime: `${identity.startTime}0` };
    expect(isAlive(former)).toBe(false);
    expect(signalProcess(former, 'SIGKILL')).toBe(false);
    expect(signalGroup(former, 'SIGKILL')).toBe(false);
    expect(treeBelow(former)).toEqual([]);
    expect(isAlive(identity)).toBe(true);
  });

  it('is gone for a zombie, which its parent has not reaped', async () => {
    const parentPid = shell('(exit 0) & exec sleep 60');
    const zombie = await until('a zombie', () => {
      return listProcesses().find((row) => row.parentPid === parentPid && row.zombie) ?? null;
    });
    expect(identifyProcess(zombie.identity.pid)).toBeNull();
    expect(isAlive(zombie.identity)).toBe(false);
    expect(signalProcess(zombie.identity, 'SIGKILL')).toBe(false);
    expect(readProcess(zombie.identity.pid)?.zombie).toBe(true);
  });

  it('is null for a pid that does not exist', () => {
    expect(identifyProcess(2 ** 30)).toBeNull();
  });
});

describe('a process group', () => {
  it('is killed with its grandchildren, also when its leader is gone already', async () => {
    const pid = shell('(sleep 60 & sleep 60) & sleep 60');
    const leader = await until('the leader', () => identifyProcess(pid));
    await until('the grandchildren', () => (groupOf(leader).length >= 4 ? true : null));
    signalProcess(leader, 'SIGKILL');
    await until('the end of the leader', () => (isAlive(leader) ? null : true));
    const rest = groupOf(leader);
    expect(rest.length).toBeGreaterThanOrEqual(3);
    expect(signalGroup(leader, 'SIGKILL')).toBe(true);
    await until('the end of the group', () => (groupOf(leader).length === 0 ? true : null));
    expect(rest.filter(isAlive)).toEqual([]);
    expect(signalGroup(leader, 'SIGKILL')).toBe(false);
  });
});

describe('the table', () => {
  it('shows the tree below a process over several generations, without the process', async () => {
    const pid = shell('(sleep 60 & sleep 60) & sleep 60');
    const root = await until('the root', () => identifyProcess(pid));
    const below = await until('three descendants', () => (treeBelow(root).length >= 3 ? treeBelow(root) : null));
    expect(below).not.toContainEqual(root);
  });

  it('finds by its marker what left its group and lost its parent, and nothing of another wave', async () => {
    const wave = `w-20261130T000000-s${process.pid}`;
    shell('(setsid sleep 60 &)', { RESTART_CHAOS_WAVE: wave });
    shell('exec sleep 60', { RESTART_CHAOS_WAVE: `${wave}0` });
    const found = await until('the stray', () => {
      const strays = processesOfWave(wave).filter(({ pid }) => readProcess(pid)?.groupId === pid);
      return strays.length === 1 ? strays : null;
    });
    expect(readProcess(found[0]?.pid ?? 0)?.parentPid).not.toBe(process.pid);
    expect(processesOfWave('w-20261130T000000-s0')).toEqual([]);
  });

  it('counts from the last parenthesis of a Linux stat line, whatever the program is called', () => {
    const fields = `S 12 34 ${Array.from({ length: 16 }, (_, index) => index).join(' ')} 99887 0`;
    expect(parseStat(7, `7 (a) R (1 2) ${fields}`)).toEqual({
      identity: { pid: 7, startTime: '99887' },
      parentPid: 12,
      groupId: 34,
      zombie: false,
    });
    expect(parseStat(7, '7 (torn) S 1')).toBeNull();
  });

  it('reads what ps of macOS writes', () => {
    const output = '  501     1   501 Ss   Mon Nov 30 17:04:15 2026    \n 77 501 501 Z+ Tue Dec  1 08:00:00 2026\n\n';
    expect(parsePsRows(output)).toEqual([
      { identity: { pid: 501, startTime: 'Mon Nov 30 17:04:15 2026' }, parentPid: 1, groupId: 501, zombie: false },
      { identity: { pid: 77, startTime: 'Tue Dec 1 08:00:00 2026' }, parentPid: 501, groupId: 501, zombie: true },
    ]);
    const environments = '  501 node server.js RESTART_CHAOS_WAVE=w-1 PATH=/bin\n  502 node RESTART_CHAOS_WAVE=w-10\n';
    expect(parsePsEnvironment(environments, 'RESTART_CHAOS_WAVE=w-1')).toEqual([501]);
  });
});

describe('a sweep', () => {
  it('reports what it ended and what stayed', async () => {
    const pid = shell('exec sleep 60');
    const identity = await until('the process', () => identifyProcess(pid));
    const report = await killUntilGone({ find: () => [identity].filter(isAlive), withinMs: 3000 });
    expect(report).toEqual({ ended: [identity], stillAlive: [] });
  });

  it('gives up after its limit on something that is named again and again', async () => {
    const startedAtMs = performance.now();
    const absent = { pid: 2 ** 30, startTime: '1' };
    expect(await killUntilGone({ find: () => [absent], withinMs: 100 })).toEqual({ ended: [], stillAlive: [] });
    expect(performance.now() - startedAtMs).toBeLessThan(2000);
  });
});

// Only root may signal everybody, so that the refusal can only be seen without it.
describe.runIf(process.getuid?.() !== 0)('a process of another user', () => {
  it('refuses a signal, and the error says whose fault it is', () => {
    const init = identifyProcess(1);
    expect(init).not.toBeNull();
    if (init !== null) expect(() => signalProcess(init, 'SIGTERM')).toThrow(HarnessError);
  });
});

describe('who works in a directory', () => {
  // Working directories are not to be had there, and the answer says so.
  it.skipIf(process.platform !== 'linux')('is each process there that no other one there started', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'table-'));
    const [one, other] = [1, 2].map(() =>
      shell(`cd ${directory} && (sleep 60; true) & cd ${directory} && sleep 61; true`),
    );
    await until('both and their children', () => {
      const rows = listProcesses().filter(({ parentPid }) => parentPid === one || parentPid === other);
      return rows.length === 4 ? true : null;
    });
    const roots = await until('both', () => {
      const found = rootsWorkingIn(directory)?.map(({ pid }) => pid);
      return found?.length === 2 ? found : null;
    });
    expect(roots.toSorted((a, b) => a - b)).toEqual([one, other].toSorted((a = 0, b = 0) => a - b));
    rmSync(directory, { recursive: true });
  });
});
