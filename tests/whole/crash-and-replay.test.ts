/** One crash from its plan to its proof, and the plan of its replay. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlannedFault } from '../restart-chaos/model/fault.ts';
import type { LedgerLine } from '../restart-chaos/model/record.ts';
import type { WavePlan } from '../restart-chaos/model/plan.ts';
import {
  describeWithPlane,
  eventsOf,
  processesLeft,
  runDirectoryOf,
  runHarness,
  runWave,
  temporaryDirectory,
  waveIn,
  waveTimeoutMs,
  type HarnessEnd,
  type WaveOnDisk,
} from './run-harness.ts';

describeWithPlane('K1 while a sturdy agent works', () => {
  const directory = temporaryDirectory();
  const results = join(directory.path, 'results');
  let end: HarnessEnd;
  let wave: WaveOnDisk;

  beforeAll(async () => {
    // This seed gives a sturdy agent and a fault in the middle of its work.
    const argv = ['--seed', '3', '--tasks', '1', '--workloads', 'A1', '--adapters', 'scripted', '--faults', 'K1'];
    end = await runWave(results, argv);
    wave = waveIn(results);
  }, waveTimeoutMs);
  afterAll(directory.remove);

  test('is recorded with a proof of every step', () => {
    const steps = eventsOf(wave, 'fault_step');
    expect(steps.map(({ step }) => step.step)).toEqual(['signal', 'await_exit', 'start', 'await_ready']);
    const [signal, exit, start, ready] = steps.map(({ proof }) => proof);
    const [first, second] = eventsOf(wave, 'boot_started').map((boot) => boot.process);
    expect(signal).toMatchObject({ observed: true, process: first });
    expect(exit).toMatchObject({ observed: true, process: first, exitSignal: 'SIGKILL', forced: false });
    expect(exit?.seen).toMatch(/port \d+ refuses/);
    expect(start).toMatchObject({ observed: true, process: second, boot: 2 });
    expect(ready).toMatchObject({ observed: true, process: second, boot: 2 });
    expect(second?.pid).not.toBe(first?.pid);
    expect(eventsOf(wave, 'fault_ended')).toMatchObject([{ ref: 'f01', landed: true, reason: null }]);
  });

  test('crosses the task that asked for it', () => {
    const [fault] = wave.record?.faults ?? [];
    const [task] = wave.record?.tasks ?? [];
    const planned = offsetOf(task?.plan.faults[0]);
    expect(fault).toMatchObject({ ref: 'f01', kind: 'K1', requestedBy: 't01', landed: true });
    expect(fault?.readyMs).toBeGreaterThan(0);
    expect(task?.grade.crossedBy).toEqual([{ ref: 'f01', kind: 'K1', offsetMs: expect.any(Number) }]);
    expect(task?.grade.crossedBy[0]?.offsetMs).toBeGreaterThanOrEqual(planned - 500);
    expect(task?.grade.continuation).not.toBe('not_crossed');
  });

  test('leaves the database as it was: the same process, before and after', () => {
    const started = eventsOf(wave, 'postgres_started');
    expect(started).toHaveLength(1);
    expect(eventsOf(wave, 'postgres_exit')).toMatchObject([{ process: started[0]?.process, expected: true }]);
    const lastBootAtMs = eventsOf(wave, 'boot_ready').at(-1)?.atMs ?? Number.NaN;
    expect(eventsOf(wave, 'postgres_exit')[0]?.atMs).toBeGreaterThan(lastBootAtMs);
  });

  test('the company is read back after it', () => {
    expect(eventsOf(wave, 'company_read_back')).toMatchObject([{ ok: true }]);
  });

  test('a verdict is one about the plane: its exit code is that of the record, and nothing of ours went wrong', () => {
    expect(wave.record?.harnessErrors).toEqual([]);
    expect([0, 1]).toContain(end.exitCode);
    expect(end.exitCode).toBe(wave.record?.exitCode);
    expect(eventsOf(wave, 'wave_ended')).toMatchObject([{ exitCode: end.exitCode }]);
  });

  test('has one line in the ledger for the wave, one for the task and one for the fault', () => {
    const lines = readFileSync(join(results, 'ledger.jsonl'), 'utf8').trim().split('\n');
    const records = lines.map((line) => JSON.parse(line) as LedgerLine);
    expect(records.map(({ record }) => record).toSorted()).toEqual(['fault', 'task', 'wave']);
    expect(records.find(({ record }) => record === 'fault')).toMatchObject({ kind: 'K1', ref: 'f01', landed: true });
    expect(records.every(({ wave: of }) => of === wave.id)).toBe(true);
  });

  test('the bundle says how to repeat it, and so does the summary when something failed', () => {
    const command = `npx tsx main.ts --replay ${wave.id}/t01 --results ${results}`;
    expect(readFileSync(wave.paths.task('t01').replay, 'utf8')).toContain(command);
    const summary = readFileSync(wave.paths.summary, 'utf8');
    if (wave.record?.verdict === 'fail') expect(summary).toContain(command);
    expect(summary).toContain('f01 K1 crash, asked for by t01');
  });

  test('a replay plans the same task with the fault at its recorded offset', async () => {
    const argv = ['--replay', `${wave.id}/t01`, '--results', results, '--dry-run', '--json'];
    const printed = await runHarness(argv);
    expect(printed.exitCode, printed.stderr).toBe(0);
    const { tasks, replayOf, seed, timeScale } = JSON.parse(printed.stdout) as WavePlan;
    const [original] = wave.record?.tasks ?? [];
    const [again] = tasks;
    expect({ replayOf, seed, timeScale }).toEqual({
      replayOf: { wave: wave.id, task: 't01' },
      seed: 3,
      timeScale: 0.05,
    });
    expect(tasks).toHaveLength(1);
    const { faults: _, deadlineMs: __, ...same } = original?.plan ?? { faults: [], deadlineMs: 0 };
    expect(again).toMatchObject(same);
    expect(again?.faults).toMatchObject([{ kind: 'K1', parameters: {} }]);
    const offsetMs = original?.grade.crossedBy[0]?.offsetMs ?? Number.NaN;
    expect(Math.abs(offsetOf(again?.faults[0]) - offsetMs)).toBeLessThanOrEqual(500);
    expect((await runHarness(argv)).stdout).toBe(printed.stdout);
  });

  test('leaves no process and no run directory', () => {
    expect(processesLeft(wave)).toEqual([]);
    expect(existsSync(runDirectoryOf(wave))).toBe(false);
  });
});

function offsetOf(fault: PlannedFault | undefined): number {
  return fault?.trigger.on === 'time' ? fault.trigger.offsetMs : Number.NaN;
}
