/** Somebody else kills the plane's server, or its database: that is no fault of ours, is recorded as such, and is recovered from once. */
import { existsSync, readFileSync } from 'node:fs';
import { kill } from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProcessIdentity } from '../restart-chaos/model/fault.ts';
import {
  describeWithPlane,
  eventsOf,
  processesLeft,
  runDirectoryOf,
  startWave,
  temporaryDirectory,
  waitForWave,
  waveIn,
  waveTimeoutMs,
  type HarnessEnd,
  type WaveOnDisk,
} from './run-harness.ts';

describeWithPlane('an exit that nobody asked for', () => {
  const results = temporaryDirectory();
  let killed: ProcessIdentity;
  let end: HarnessEnd;
  let wave: WaveOnDisk;

  beforeAll(async () => {
    const argv = ['--seed', '6', '--tasks', '1', '--workloads', 'A1', '--adapters', 'scripted', '--faults', 'none'];
    const harness = startWave(results.path, argv);
    killed = await waitForWave(harness, results.path, (seen) =>
      eventsOf(seen, 'beacon').length > 0 ? eventsOf(seen, 'boot_started').at(-1)?.process : null,
    );
    kill(killed.pid, 'SIGKILL');
    end = await harness.ended;
    wave = waveIn(results.path);
  }, waveTimeoutMs);
  afterAll(results.remove);

  test('is recorded as unexpected, and not as a fault', () => {
    expect(eventsOf(wave, 'server_exit_unexpected')).toMatchObject([{ process: killed, signal: 'SIGKILL', boot: 1 }]);
    expect(eventsOf(wave, 'fault_started')).toEqual([]);
    expect(wave.record?.faults).toEqual([]);
  });

  test('is followed by one recovery, after which the plane is ready again', () => {
    expect(eventsOf(wave, 'plane_recovery')).toMatchObject([{ ok: true }]);
    expect(eventsOf(wave, 'boot_ready').map(({ boot }) => boot)).toEqual([1, 2]);
    expect(eventsOf(wave, 'postgres_started')).toHaveLength(1);
  });

  test('ends in a wave that is no pass and leaves nothing', () => {
    expect(end.exitCode, end.stdout + end.stderr).toBe(wave.record?.exitCode);
    expect(end.exitCode).not.toBe(0);
    expect(processesLeft(wave)).toEqual([]);
    expect(existsSync(runDirectoryOf(wave))).toBe(false);
  });
});

describeWithPlane('a database that ends although nobody asked it to', () => {
  const results = temporaryDirectory();
  let end: HarnessEnd;
  let wave: WaveOnDisk;

  beforeAll(async () => {
    const argv = ['--seed', '6', '--tasks', '1', '--workloads', 'A1', '--adapters', 'scripted', '--faults', 'none'];
    const harness = startWave(results.path, argv);
    const postgres = await waitForWave(harness, results.path, (seen) =>
      eventsOf(seen, 'beacon').length > 0 ? eventsOf(seen, 'postgres_started').at(-1)?.process : null,
    );
    kill(postgres.pid, 'SIGKILL');
    end = await harness.ended;
    wave = waveIn(results.path);
  }, waveTimeoutMs);
  afterAll(results.remove);

  test('is a failure of the harness, and nothing is held against the plane', () => {
    expect(end.exitCode, end.stdout + end.stderr).toBe(2);
    expect(wave.record?.harnessErrors).toMatchObject([{ code: 'postgres-exit-unasked' }]);
    expect(wave.record?.tasks.map(({ grade }) => [grade.verdict, grade.signatures])).toEqual([['invalid', []]]);
    expect(readFileSync(wave.paths.summary, 'utf8')).toContain('the database ended without being asked to');
  });

  test('is brought back once, and nothing is left', () => {
    expect(eventsOf(wave, 'plane_recovery')).toMatchObject([{ ok: true }]);
    expect(processesLeft(wave)).toEqual([]);
  });
});
