/** B5 across K4: a command that runs on while the plane is down, and whose every step only the harness can sign. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
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
  writePlanByHand,
  type HarnessEnd,
  type WaveOnDisk,
} from './run-harness.ts';

describeWithPlane('a long command across a long outage', () => {
  const directory = temporaryDirectory();
  const results = join(directory.path, 'results');
  let end: HarnessEnd;
  let wave: WaveOnDisk;

  beforeAll(async () => {
    // At this scale the command takes 48 s. Struck after 30 s it is at work, also where an agent takes 25 s to start.
    const fault = { kind: 'K4', parameters: { holdMs: 60_000 }, trigger: { on: 'time', offsetMs: 30_000 } } as const;
    const byHand = { seed: 51, workload: 'B5', timeScale: 0.2, faults: [fault] } as const;
    end = await runWave(results, ['--plan', await writePlanByHand(directory.path, byHand)]);
    wave = waveIn(results);
  }, waveTimeoutMs);
  afterAll(directory.remove);

  test('the outage lands, held for as long as the plan says, scaled', () => {
    expect(eventsOf(wave, 'fault_ended')).toMatchObject([{ landed: true }]);
    const hold = eventsOf(wave, 'fault_step').find(({ step }) => step.step === 'hold');
    expect(hold).toMatchObject({ step: { step: 'hold', ms: 12_000 }, proof: { observed: true } });
    expect((hold?.endedAtMs ?? 0) - (hold?.startedAtMs ?? 0)).toBeGreaterThanOrEqual(11_990);
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
