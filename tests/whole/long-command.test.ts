/** B5 across K4: a command that runs on while the plane is down, and whose every step only the harness can sign. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  describeWithPlane,
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

describeWithPlane('a long command across a long outage', () => {
  const results = temporaryDirectory();
  let end: HarnessEnd;
  let wave: WaveOnDisk;

  beforeAll(async () => {
    // At this scale the command takes 24 s; by this seed it is struck in its second half, and the outage takes 12 s.
    const argv = ['--seed', '51', '--tasks', '1', '--workloads', 'B5', '--adapters', 'scripted', '--faults', 'K4'];
    end = await runWave(results.path, argv, { timeScale: 0.1 });
    wave = waveIn(results.path);
  }, waveTimeoutMs);
  afterAll(results.remove);

  test('the outage lands, held for as long as the plan says', () => {
    expect(eventsOf(wave, 'fault_ended')).toMatchObject([{ landed: true }]);
    const hold = eventsOf(wave, 'fault_step').find(({ step }) => step.step === 'hold');
    const plannedMs = wave.record?.tasks[0]?.plan.faults[0]?.parameters['holdMs'] ?? Number.NaN;
    expect(hold?.step).toEqual({ step: 'hold', ms: Math.round(plannedMs * 0.1) });
    expect(wave.record?.tasks[0]?.grade.crossedBy).toMatchObject([{ kind: 'K4' }]);
  });

  test('the harness saw the command at work by its own polls, and every signature held', () => {
    const progress = eventsOf(wave, 'bench_progress');
    expect(new Set(progress.map(({ value }) => value)).size).toBeGreaterThanOrEqual(2);
    expect(progress.every(({ valid }) => valid)).toBe(true);
  });

  test('ends with a verdict about the plane, and nothing left', () => {
    expect(wave.record?.harnessErrors).toEqual([]);
    expect(end.exitCode, end.stdout + end.stderr).toBe(wave.record?.exitCode);
    expect([0, 1]).toContain(end.exitCode);
    expect(processesLeft(wave)).toEqual([]);
    expect(existsSync(runDirectoryOf(wave))).toBe(false);
  });
});
