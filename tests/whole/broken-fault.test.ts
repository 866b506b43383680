/** The harness is broken on purpose: a fault without effect, and a plane that does not come back. Neither can pass. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

const oneCrash = ['--seed', '7', '--tasks', '1', '--workloads', 'A1', '--adapters', 'scripted', '--faults', 'K1'];

describeWithPlane('a broken fault', () => {
  describe('that is said to be sent and is not', () => {
    const results = temporaryDirectory();
    let end: HarnessEnd;
    let wave: WaveOnDisk;
    beforeAll(async () => {
      end = await runWave(results.path, [...oneCrash, '--test-hook', 'fault-does-not-land']);
      wave = waveIn(results.path);
    }, waveTimeoutMs);
    afterAll(results.remove);

    test('is seen not to have landed', () => {
      expect(eventsOf(wave, 'fault_ended')).toMatchObject([{ landed: false, struckAtMs: null }]);
      expect(eventsOf(wave, 'fault_step').at(-1)).toMatchObject({
        step: { step: 'await_exit' },
        proof: { observed: false },
      });
      expect(wave.record?.harnessErrors).toMatchObject([{ code: 'fault-not-landed' }]);
    });

    test('makes its task invalid, whatever its rules say, and the exit code 2', () => {
      expect(wave.record?.tasks.map(({ grade }) => grade.verdict)).toEqual(['invalid']);
      expect(wave.record?.verdict).not.toBe('pass');
      expect(end.exitCode, end.stdout + end.stderr).toBe(2);
    });

    test('leaves a plane that was never down, and then nothing', () => {
      expect(eventsOf(wave, 'plane_recovery')).toEqual([]);
      expect(eventsOf(wave, 'boot_started')).toHaveLength(1);
      expect(processesLeft(wave)).toEqual([]);
      expect(existsSync(runDirectoryOf(wave))).toBe(false);
    });
  });

  describe('after which the plane does not start again', () => {
    const results = temporaryDirectory();
    let end: HarnessEnd;
    let wave: WaveOnDisk;
    beforeAll(async () => {
      end = await runWave(results.path, [...oneCrash, '--test-hook', 'start-fails-after-fault']);
      wave = waveIn(results.path);
    }, waveTimeoutMs);
    afterAll(results.remove);

    test('is followed by exactly one recovery, which fails', () => {
      expect(eventsOf(wave, 'plane_recovery')).toMatchObject([{ ok: false }]);
      const codes = wave.record?.harnessErrors.map(({ code }) => code) ?? [];
      expect(codes).toContain('fault-not-landed');
      expect(codes).toContain('plane-recovery-failed');
    });

    test('ends the wave long before its deadline, with exit code 2 and no verdict about the plane', () => {
      expect(eventsOf(wave, 'wave_deadline')).toEqual([]);
      expect(wave.record?.tasks.map(({ grade }) => grade.verdict)).toEqual(['invalid']);
      expect(end.exitCode, end.stdout + end.stderr).toBe(2);
    });

    test('leaves no process', () => {
      expect(processesLeft(wave)).toEqual([]);
      expect(existsSync(runDirectoryOf(wave))).toBe(false);
    });
  });
});
