/** A wave on the lab: the reference plane keeps every promise through a crash, and the rules say so. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  eventsOf,
  processesLeft,
  runDirectoryOf,
  runWave,
  temporaryDirectory,
  waveIn,
  waveTimeoutMs,
  type HarnessEnd,
  type WaveOnDisk,
} from './run-harness.ts';

describe('the lab: K1 while agents work', () => {
  const directory = temporaryDirectory();
  const results = join(directory.path, 'results');
  let end: HarnessEnd;
  let wave: WaveOnDisk;

  beforeAll(async () => {
    const argv = ['--target', 'lab', '--seed', '3', '--tasks', '2', '--workloads', 'A1,C1', '--faults', 'K1'];
    end = await runWave(results, argv, { timeScale: 0.1 });
    wave = waveIn(results);
  }, waveTimeoutMs);
  afterAll(directory.remove);

  test('crosses every task, and every task passes every rule', () => {
    expect(end.exitCode, end.stdout + end.stderr).toBe(0);
    const tasks = wave.record?.tasks ?? [];
    expect(tasks).toHaveLength(2);
    for (const { grade } of tasks) {
      expect(grade.crossedBy.length).toBeGreaterThan(0);
      expect(grade.rules.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    }
  });

  test('is spoken to in the newer dialect, found by probing', () => {
    expect(eventsOf(wave, 'stage_step').find(({ step }) => step === 'staged')).toMatchObject({
      detail: 'dialect paperclip-2026-11',
    });
  });

  test('leaves no process and no run directory', () => {
    expect(processesLeft(wave)).toEqual([]);
    expect(existsSync(runDirectoryOf(wave))).toBe(false);
  });
});
