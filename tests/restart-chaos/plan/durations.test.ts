import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlannedFault } from '../model/fault.ts';
import { plannedMs, taskDeadlineMs, waveDeadlineMs, type UndatedTask, type WaveShape } from './durations.ts';

const target = 'paperclip@2026.916.1';
const k1: PlannedFault = { kind: 'K1', trigger: { on: 'time', offsetMs: 5_000 }, parameters: {} };
const k4 = (holdMs: number, offsetMs = 5_000): PlannedFault => ({
  kind: 'K4',
  trigger: { on: 'time', offsetMs },
  parameters: { holdMs },
});

function task(faults: readonly PlannedFault[], workload: UndatedTask['workload'] = 'A1'): UndatedTask {
  const pace = { steps: 5, stepMs: 2_000 };
  return { id: 't01', workload, adapter: 'scripted', temperament: 'sturdy', pace, nonce: '0a1b2c3d', faults };
}

function wave(tasks: readonly UndatedTask[], concurrency = 4): WaveShape {
  return { tasks, concurrency, timeScale: 1, target };
}

describe('taskDeadlineMs', () => {
  // Three attempts of 15 s and 10 s of work, two retries of 45 s, the 60 s window, the 600 s limit, the 60 s margin.
  const quiet = 3 * 25_000 + 90_000 + 60_000 + 600_000 + 60_000;

  test('adds up what a task may need without faults', () => {
    expect(taskDeadlineMs(task([]), wave([task([])]))).toBe(quiet);
  });

  test('leaves room for B5 to run again from its start after each retry', () => {
    expect(taskDeadlineMs(task([], 'B5'), wave([task([], 'B5')]))).toBe(quiet + 3 * 230_000);
  });

  test('counts the longest faults of a full group, and not those that cannot be open at the same time', () => {
    const tasks = [task([k1]), task([k4(200_000)]), task([k1])];
    expect(taskDeadlineMs(task([k1]), wave(tasks, 2))).toBe(quiet + 190_000 + 390_000);
    expect(taskDeadlineMs(task([k1]), wave(tasks, 1))).toBe(quiet + 390_000);
  });

  test('gives a fault that waits for a moment its own steps, and no time for the moment itself', () => {
    const at = (trigger: PlannedFault['trigger']): UndatedTask => task([{ ...k1, trigger }]);
    const commit = at({ on: 'commit', pattern: 'insert issues', occurrence: 1, side: 'after' });
    const boot = at({ on: 'boundary', id: 'BT18', occurrence: 1 });
    const settling = taskDeadlineMs(commit, wave([commit])) - quiet;
    expect(settling).toBeGreaterThanOrEqual(190_000);
    expect(settling).toBeLessThan(250_000);
    expect(taskDeadlineMs(boot, wave([boot]))).toBe(quiet + 190_000 + 190_000);
  });

  test('counts every fault of a replayed task, and waits for the last of them', () => {
    const replayed = task([k1, k4(200_000, 400_000)]);
    expect(taskDeadlineMs(replayed, wave([replayed], 1))).toBe(quiet - 165_000 + 400_000 + 580_000);
  });
});

describe('waveDeadlineMs', () => {
  test('gives every task its time, and every fault of the plan once', () => {
    const own = 3 * 25_000 + 90_000 + 60_000 + 30_000;
    const tasks = [task([k1]), task([k1]), task([])];
    expect(waveDeadlineMs(wave(tasks, 2))).toBe(300_000 + 2 * own + 380_000 + 600_000 + 60_000);
  });

  test('is never before the deadline of a task of the first group, and always after the planned end', () => {
    const anyFaults = fc.array(
      fc.oneof(
        fc.constant(k1),
        fc.integer({ min: 0, max: 300_000 }).map((ms) => k4(ms)),
      ),
      { maxLength: 2 },
    );
    const anyWave = fc.record({
      tasks: fc.array(
        anyFaults.map((faults) => task(faults)),
        { minLength: 1, maxLength: 30 },
      ),
      concurrency: fc.integer({ min: 1, max: 16 }),
      timeScale: fc.constantFrom(1, 0.05),
      target: fc.constant(target),
    });
    fc.assert(
      fc.property(anyWave, (shape) => {
        const end = waveDeadlineMs(shape);
        for (const each of shape.tasks) expect(end).toBeGreaterThan(taskDeadlineMs(each, shape));
        expect(plannedMs(shape)).toBeLessThan(end);
      }),
    );
  });
});

describe('plannedMs', () => {
  const quiet = 1_200 + 10_000 + 2_000 + 5_000;

  test('is staging and one group when all tasks fit in it', () => {
    expect(plannedMs(wave([task([]), task([])]))).toBe(15_000 + quiet);
  });

  test('adds up groups', () => {
    expect(plannedMs(wave([task([]), task([]), task([])], 2))).toBe(15_000 + 2 * quiet);
  });

  test('takes a moment to come when the work would be done', () => {
    const waiting = task([{ ...k1, trigger: { on: 'boundary', id: 'BT11', occurrence: 1 } }]);
    // 10 s of work: before the outage of a task that is struck later, and after that of one that is struck earlier.
    expect(plannedMs(wave([waiting, task([k4(200_000, 11_000)])]))).toBeLessThan(100_000);
    expect(plannedMs(wave([waiting, task([k4(200_000, 9_000)])]))).toBeGreaterThan(200_000);
  });

  test('counts the fault that comes due first in a group, one retry and the work again', () => {
    const tasks = [task([k4(200_000, 9_000)]), task([k1])];
    expect(plannedMs(wave(tasks))).toBe(15_000 + quiet + 6_200 + 45_000 + 10_000);
  });
});
