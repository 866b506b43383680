import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isolatedEnvironment } from '../process/environment.ts';
import type { ProcessIdentity } from '../model/fault.ts';
import { isAlive, signalProcess } from '../process/identity.ts';
import { reservePort } from '../process/ports.ts';
import { readProcess, treeBelow } from '../process/table.ts';
import { preparePostgres } from './binaries.ts';
import type { PostgresBinaries } from './binaries.ts';
import { cloneCluster, initCluster, startCluster } from './cluster.ts';
import type { Cluster } from './cluster.ts';
import { connectTruth, createDatabase } from './query.ts';

let directory: string;
let binaries: PostgresBinaries;
let template: string;
const started: Cluster[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'restart-chaos-test-'));
  await chmod(directory, 0o711);
  binaries = await preparePostgres(join(directory, 'cache'));
  template = join(directory, 'template');
  await initCluster(binaries, template);
}, 60_000);

afterAll(async () => {
  for (const cluster of started) await cluster.stop();
  const ofOurs = execFileSync('ps', ['-axww', '-o', 'args='], { encoding: 'utf8' });
  expect(ofOurs).not.toContain(directory);
  await rm(directory, { recursive: true });
}, 60_000);

/** What every start of a clone was told of, by name. */
const spawned = new Map<string, ProcessIdentity[]>();

async function startClone(name: string): Promise<{ cluster: Cluster; dataDirectory: string; logFile: string }> {
  const dataDirectory = join(directory, name);
  const logFile = join(directory, `${name}.log`);
  await cloneCluster(binaries, template, dataDirectory);
  const { port } = await reservePort({ low: 24_000, high: 24_400 });
  const seen: ProcessIdentity[] = [];
  spawned.set(name, seen);
  const cluster = await startCluster({
    binaries,
    dataDirectory,
    port,
    logFile,
    env: isolatedEnvironment({}),
    onSpawn: (postmaster) => seen.push(postmaster),
  });
  started.push(cluster);
  return { cluster, dataDirectory, logFile };
}

async function rowsOf(cluster: Cluster): Promise<number> {
  const truth = connectTruth(cluster.url('postgres'));
  try {
    return (await truth.query<{ count: number }>('select count(*)::int as count from noted'))[0]?.count ?? -1;
  } finally {
    await truth.close();
  }
}

describe('a cluster', { timeout: 30_000 }, () => {
  test('keeps committed rows over a SIGKILL of all its processes and recovers for real', async () => {
    const { cluster, logFile } = await startClone('killed');
    const truth = connectTruth(cluster.url('postgres'));
    await truth.query('create table noted (id int primary key)');
    await truth.query('insert into noted select generate_series(1, 100)');
    const first = cluster.identity();
    const backends = treeBelow(first);
    const exit = await cluster.kill();
    expect(exit).toMatchObject({ signal: 'SIGKILL', code: null });
    expect(backends.length).toBeGreaterThan(2);
    expect([...backends, first].filter(isAlive)).toEqual([]);
    expect(exit.killed.map(({ pid }) => pid)).toEqual(expect.arrayContaining(backends.map(({ pid }) => pid)));
    expect(cluster.exit()).not.toBeNull();

    const readyMs = await cluster.start();
    expect(readyMs).toBe(cluster.readyMs);
    expect(cluster.identity()).not.toEqual(first);
    expect(spawned.get('killed')).toEqual([first, cluster.identity()]);
    expect(cluster.exit()).toBeNull();
    expect(await rowsOf(cluster)).toBe(100);
    expect(await readFile(logFile, 'utf8')).toMatch(/automatic recovery in progress/);
    // The pool from before the crash heals by itself.
    await truth.query('select 1').catch(() => null);
    expect(await truth.query('select count(*)::int as count from noted')).toEqual([{ count: 100 }]);
    await truth.close();
  });

  test('is copied with its data after a clean stop, and starts as a server of its own', async () => {
    const { cluster, dataDirectory } = await startClone('original');
    await createDatabase(cluster.url('postgres'), 'paper "clip');
    const other = connectTruth(cluster.url('paper "clip'));
    expect(await other.query('select current_database() as name')).toEqual([{ name: 'paper "clip' }]);
    await other.close();
    const truth = connectTruth(cluster.url('postgres'));
    await truth.query('create table noted as select generate_series(1, 7) as id');
    await truth.close();
    await expect(cloneCluster(binaries, dataDirectory, join(directory, 'too-early'))).rejects.toThrow(
      /in use or was left/,
    );
    expect(await cluster.stop()).toMatchObject({ signal: null, code: 0 });

    const copy = join(directory, 'copied');
    await cloneCluster(binaries, dataDirectory, copy);
    await expect(cloneCluster(binaries, dataDirectory, copy)).rejects.toThrow(/could not make the data directory/);
    const { port } = await reservePort({ low: 24_000, high: 24_400 });
    const second = await startCluster({
      binaries,
      dataDirectory: copy,
      port,
      logFile: join(directory, 'copied.log'),
      env: isolatedEnvironment({}),
    });
    started.push(second);
    expect(await rowsOf(second)).toBe(7);
  });

  test('answers many who ask at once: waiting for each other is not taken for a server that does not answer', async () => {
    const { cluster } = await startClone('asked');
    const truth = connectTruth(cluster.url('postgres'), 1_500);
    // With two connections the last of these would wait for two seconds and more.
    const asked = Array.from({ length: 16 }, () => truth.query('select pg_sleep(0.3)'));
    expect(await Promise.all(asked)).toHaveLength(16);
    await truth.close();
  });

  test('tells of its process before it serves, also when it never will', async () => {
    const { port, release } = await reservePort({ low: 24_000, high: 24_400 });
    const dataDirectory = join(directory, 'untold');
    await cloneCluster(binaries, template, dataDirectory);
    const there: boolean[] = [];
    const seen: ProcessIdentity[] = [];
    const attempt = startCluster({
      binaries: { ...binaries, postgres: '/bin/false' },
      dataDirectory,
      port,
      logFile: join(directory, 'untold.log'),
      env: isolatedEnvironment({}),
      onSpawn: (postmaster) => {
        seen.push(postmaster);
        // A program that ends at once may be a zombie by now, but nobody has reaped it.
        there.push(readProcess(postmaster.pid)?.identity.startTime === postmaster.startTime);
      },
    });
    await expect(attempt).rejects.toMatchObject({ code: 'postgres-not-ready' });
    expect(there).toEqual([true]);
    expect(seen.filter(isAlive)).toEqual([]);
    release();
  });

  test('refuses a port that another program has, names it and leaves nothing running', async () => {
    const { port, release } = await reservePort({ low: 24_000, high: 24_400 });
    const occupant = createServer().listen(port, '127.0.0.1');
    const dataDirectory = join(directory, 'no-port');
    await cloneCluster(binaries, template, dataDirectory);
    const attempt = startCluster({
      binaries,
      dataDirectory,
      port,
      logFile: join(directory, 'no-port.log'),
      env: isolatedEnvironment({}),
    });
    await expect(attempt).rejects.toMatchObject({
      code: 'postgres-not-ready',
      message: expect.stringContaining(`port ${port} is taken by another program`),
    });
    occupant.close();
    release();
  });

  test('is not taken for another Postgres that answers on its port', async () => {
    const { cluster } = await startClone('first-on-port');
    const dataDirectory = join(directory, 'second-on-port');
    await cloneCluster(binaries, template, dataDirectory);
    const attempt = startCluster({
      binaries,
      dataDirectory,
      port: cluster.port,
      logFile: join(directory, 'second-on-port.log'),
      env: isolatedEnvironment({}),
    });
    await expect(attempt).rejects.toThrow(/is taken by another program/);
  });

  test('starts again when only its postmaster was killed and a backend still works', async () => {
    const { cluster } = await startClone('headless');
    const truth = connectTruth(cluster.url('postgres'));
    const slow = truth.query("select pg_sleep(2), 'slow'").catch(() => null);
    await truth.query('select 1');
    signalProcess(cluster.identity(), 'SIGKILL');
    await cluster.exited;
    await cluster.start();
    await slow;
    await truth.close();
    expect(cluster.exit()).toBeNull();
  });

  test('stops although all of it was frozen, and leaves no shared memory after a kill', async () => {
    const { cluster, dataDirectory } = await startClone('frozen');
    expect(cluster.signal('SIGSTOP').length).toBeGreaterThan(2);
    const truth = connectTruth(cluster.url('postgres'), 500);
    await expect(truth.query('select 1')).rejects.toMatchObject({ code: 'postgres-not-ready' });
    await truth.close();
    const segment = (await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8'))
      .split('\n')[6]
      ?.trim()
      .split(/\s+/)[1];
    const segments = (): string => execFileSync('ipcs', ['-m'], { encoding: 'utf8' });
    expect(segments()).toMatch(new RegExp(`\\s${segment}\\s`));
    await cluster.kill();
    expect(segments()).toMatch(new RegExp(`\\s${segment}\\s`));
    expect(await cluster.stop()).toMatchObject({ signal: 'SIGKILL' });
    expect(segments()).not.toMatch(new RegExp(`\\s${segment}\\s`));
    await cluster.start();
    cluster.signal('SIGSTOP');
    expect(await cluster.stop()).toMatchObject({ signal: null, code: 0 });
  });
});
