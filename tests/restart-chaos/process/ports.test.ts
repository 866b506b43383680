import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { portRefuses, reservePort } from './ports.ts';
import { processesWithEnvironment } from './table.ts';

let directory = '';
const locks = (): string[] => readdirSync(join(directory, 'restart-chaos-ports'));

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'restart-chaos-ports-test-'));
  // Locks of waves that run beside this test are not touched.
  vi.stubEnv('TMPDIR', directory);
});

afterEach(() => {
  vi.unstubAllEnvs();
  expect(processesWithEnvironment('TMPDIR', directory)).toEqual([]);
  rmSync(directory, { recursive: true, force: true });
});

describe('a reserved port', () => {
  it('lies in the range, refuses connections and is free again after its release', async () => {
    const reserved = await reservePort();
    expect(reserved.port).toBeGreaterThanOrEqual(20_000);
    expect(reserved.port).toBeLessThan(32_000);
    expect(await portRefuses(reserved.port)).toBe(true);
    expect(locks()).toEqual([`${reserved.port}.lock`]);
    reserved.release();
    expect(locks()).toEqual([]);
  });

  it('is not taken from its new owner by a second release', async () => {
    const range = { low: 23_110, high: 23_110 };
    const first = await reservePort(range);
    first.release();
    const second = await reservePort(range);
    first.release();
    await expect(reservePort(range)).rejects.toThrow('no port of 23110–23110 could be reserved');
    second.release();
  });

  it('is never one on which somebody listens', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen({ port: 23_121, host: '0.0.0.0' }, resolve));
    const { port } = server.address() as AddressInfo;
    expect(await portRefuses(port)).toBe(false);
    await expect(reservePort({ low: port, high: port })).rejects.toMatchObject({ name: 'HarnessError' });
    await new Promise((resolve) => server.close(resolve));
    expect(locks()).toEqual([]);
  });

  it('is reclaimed when its owner is gone, and left alone when its lock cannot be read', async () => {
    (await reservePort({ low: 23_130, high: 23_130 })).release();
    const lock = (port: number): string => join(directory, 'restart-chaos-ports', `${port}.lock`);
    writeFileSync(lock(23_130), JSON.stringify({ pid: process.pid, startTime: 'of a former process' }));
    writeFileSync(lock(23_131), 'not a lock');
    const reclaimed = await reservePort({ low: 23_130, high: 23_131 });
    expect(reclaimed.port).toBe(23_130);
    await expect(reservePort({ low: 23_130, high: 23_131 })).rejects.toMatchObject({ name: 'HarnessError' });
    reclaimed.release();
    expect(locks()).toEqual(['23131.lock']);
  });

  it('belongs to one of several processes that reserve at the same time', async () => {
    writeStaleLocks(23_140, 23_169);
    const reservers = [1, 2, 3].map(() => startReserver(['23140', '23169', '10']));
    const ports = (await Promise.all(reservers.map((reserver) => reserver.ports))).flat();
    expect(new Set(ports).size).toBe(30);
    await Promise.all(reservers.map((reserver) => reserver.end()));
    expect(locks()).toEqual([]);
  });
});

function writeStaleLocks(low: number, high: number): void {
  const lockDirectory = join(directory, 'restart-chaos-ports');
  mkdirSync(lockDirectory);
  for (let port = low; port <= high; port += 1) {
    writeFileSync(join(lockDirectory, `${port}.lock`), JSON.stringify({ pid: 2 ** 30, startTime: '1' }));
  }
}

function startReserver(args: readonly string[]): { readonly ports: Promise<number[]>; end(): Promise<unknown> } {
  const program = fileURLToPath(new URL('../../fixtures/programs/port-reserver.ts', import.meta.url));
  const child = spawn(process.execPath, [program, ...args], {
    env: { TMPDIR: directory },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const ports = new Promise<number[]>((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(JSON.parse(line.toString()) as number[]));
    child.once('exit', (code) => reject(new Error(`the reserver ended with ${code}`)));
  });
  return {
    ports,
    end: () => {
      child.stdin.end();
      return exited;
    },
  };
}
