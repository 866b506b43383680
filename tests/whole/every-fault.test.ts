/**
 * Faults that have no test of their own here really strike: one task of a plan made by hand asks for them, one after
 * another. K1 is in crash-and-replay.test.ts, K4 in long-command.test.ts.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FaultKind, FaultStep, PlannedFault } from '../restart-chaos/model/fault.ts';
import {
  describeWithPlane,
  eventsOf,
  processesLeft,
  runWave,
  temporaryDirectory,
  waveIn,
  waveTimeoutMs,
  writePlanByHand,
  type EventOf,
  type HarnessEnd,
  type WaveOnDisk,
} from './run-harness.ts';

const planned: readonly (readonly [FaultKind, PlannedFault['parameters']])[] = [
  ['K2', { holdMs: 0 }],
  ['K3', {}],
  ['K5', {}],
  ['K6', { again: 1 }],
];

describeWithPlane('K2, K3, K5 and K6 in one wave', () => {
  const directory = temporaryDirectory();
  const results = join(directory.path, 'results');
  let end: HarnessEnd;
  let wave: WaveOnDisk;

  beforeAll(async () => {
    // They come due within seconds: each waits for the one before, and strikes while the task is still open.
    const faults = planned.map(([kind, parameters], index): PlannedFault => {
      return { kind, parameters, trigger: { on: 'time', offsetMs: 5_000 + index * 100 } };
    });
    const plan = await writePlanByHand(directory.path, { seed: 1, workload: 'A1', timeScale: 0.1, faults });
    end = await runWave(results, ['--plan', plan]);
    wave = waveIn(results);
  }, waveTimeoutMs);
  afterAll(directory.remove);

  test('every one of them lands, with every step proven', () => {
    expect(eventsOf(wave, 'fault_ended').map(({ landed, reason }) => ({ landed, reason }))).toEqual(
      planned.map(() => ({ landed: true, reason: null })),
    );
    expect(eventsOf(wave, 'fault_step').filter(({ proof }) => !proof.observed)).toEqual([]);
    expect(wave.record?.tasks[0]?.grade.crossedBy.map(({ kind }) => kind)).toEqual(planned.map(([kind]) => kind));
    expect(wave.record?.harnessErrors).toEqual([]);
    expect(end.exitCode, end.stdout + end.stderr).toBe(wave.record?.exitCode);
    expect([0, 1]).toContain(end.exitCode);
  });

  test('K2 asks the server to end and it ends by itself', () => {
    expect(stepsOf('K2').map(({ step }) => step.step)).toContain('await_exit');
    expect(first('K2', 'signal')).toMatchObject({ step: { signal: 'SIGTERM', target: 'server' } });
  });

  test('K3 takes what runs below the server with it', () => {
    expect(first('K3', 'signal')).toMatchObject({ step: { signal: 'SIGKILL', target: 'tree' } });
    expect(first('K3', 'signal').proof.processes).toBeDefined();
  });

  test('K5 takes the database with it, which recovers as another process', () => {
    const started = eventsOf(wave, 'postgres_started');
    expect(started).toHaveLength(2);
    expect(started[1]?.process.pid).not.toBe(started[0]?.process.pid);
    expect(eventsOf(wave, 'postgres_exit').map(({ expected }) => expected)).toEqual([true, true]);
  });

  test('K6 strikes again while the plane recovers: it listened and was not ready', () => {
    expect(first('K6', 'await_listening').proof.seen).toMatch(/listening, phase (starting|recovering)/);
    const exits = stepsOf('K6').filter(({ step }) => step.step === 'await_exit');
    expect(exits.map(({ proof }) => proof.exitSignal)).toEqual(['SIGKILL', 'SIGKILL']);
  });

  test('every boot was another process, and none is left', () => {
    const pids = eventsOf(wave, 'boot_started').map(({ process }) => `${process.pid}/${process.startTime}`);
    // One at the start, one for each fault, and the one that K6 kills in between.
    expect(pids).toHaveLength(6);
    expect(new Set(pids).size).toBe(6);
    expect(eventsOf(wave, 'server_exit_unexpected')).toEqual([]);
    expect(processesLeft(wave)).toEqual([]);
  });

  function stepsOf(kind: FaultKind): readonly EventOf<'fault_step'>[] {
    const ref = eventsOf(wave, 'fault_started').find(({ fault }) => fault === kind)?.ref;
    return eventsOf(wave, 'fault_step').filter((event) => event.ref === ref);
  }

  function first(kind: FaultKind, step: FaultStep['step']): EventOf<'fault_step'> {
    const found = stepsOf(kind).find((event) => event.step.step === step);
    if (found === undefined) throw new Error(`${kind} has no step ${step}`);
    return found;
  }
});
