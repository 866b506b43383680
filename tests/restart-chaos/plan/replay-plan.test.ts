import { describe, expect, test } from 'vitest';
import { UsageError } from '../model/errors.ts';
import { checkPlanOptions } from './check-plan-options.ts';
import { planText } from './plan-text.ts';
import { planWave } from './plan-wave.ts';
import { readPlan } from './read-plan.ts';
import { replayPlan, type RecordedCrossing } from './replay-plan.ts';

const wave = 'w-20261130T164512-s42';
const saved = planWave(
  checkPlanOptions({ seed: 42, timeScale: 0.5, budgetCents: 500, target: 'paperclip@2026.831.1' }),
);
const crossings: readonly RecordedCrossing[] = [
  {
    kind: 'K4',
    parameters: { holdMs: 187_000 },
    trigger: { on: 'time', offsetMs: 19_000 },
    requestedBy: 't05',
    offsetMs: 21_900.4,
  },
  { kind: 'K1', parameters: {}, trigger: { on: 'time', offsetMs: 3_000 }, requestedBy: 't01', offsetMs: 7_200 },
];

describe('replayPlan', () => {
  const replay = replayPlan({ saved, wave, task: 't05', crossings });
  const original = saved.tasks[4]!;

  test('has the one task, as it was', () => {
    const { faults: _, deadlineMs: __, ...same } = original;
    expect(replay.tasks).toHaveLength(1);
    expect(replay.tasks[0]).toMatchObject(same);
  });

  test('has every fault that crossed it, in the order of their strikes, at the recorded offsets', () => {
    expect(replay.tasks[0]?.faults).toEqual([
      { kind: 'K1', trigger: { on: 'time', offsetMs: 7_200 }, parameters: {} },
      { kind: 'K4', trigger: { on: 'time', offsetMs: 21_900 }, parameters: { holdMs: 187_000 } },
    ]);
  });

  test('says where it comes from, and keeps seed, target, budget and time scale', () => {
    expect(replay).toMatchObject({
      seed: 42,
      target: 'paperclip@2026.831.1',
      budgetCents: 500,
      timeScale: 0.5,
      concurrency: 1,
      replayOf: { wave, task: 't05' },
    });
  });

  test('can be written, read and replayed itself', () => {
    expect(readPlan(planText(replay))).toEqual(replay);
    expect(replayPlan({ saved: replay, wave: `${wave}-2`, task: 't05', crossings })).toEqual({
      ...replay,
      replayOf: { wave: `${wave}-2`, task: 't05' },
    });
  });

  test('waits again for a moment of the task, and takes the time of what another task had waited for', () => {
    const boundary = { on: 'boundary', id: 'BT04', occurrence: 2 } as const;
    const commit = { on: 'commit', pattern: 'insert issues', occurrence: 1, side: 'after' } as const;
    const met: readonly RecordedCrossing[] = [
      { kind: 'K1', parameters: {}, trigger: commit, requestedBy: 't02', offsetMs: 1_500.6 },
      { kind: 'K2', parameters: { holdMs: 10 }, trigger: boundary, requestedBy: 't05', offsetMs: 9_000 },
    ];
    const again = replayPlan({ saved, wave, task: 't05', crossings: met });
    expect(again.tasks[0]?.faults).toEqual([
      { kind: 'K1', trigger: { on: 'time', offsetMs: 1_501 }, parameters: {} },
      { kind: 'K2', trigger: boundary, parameters: { holdMs: 10 } },
    ]);
    expect(readPlan(planText(again))).toEqual(again);
  });

  test('has no fault for a task that none crossed, not even the one it asked for', () => {
    expect(original.faults).toHaveLength(1);
    expect(replayPlan({ saved, wave, task: 't05', crossings: [] }).tasks[0]?.faults).toEqual([]);
  });

  test('has time for all of its faults', () => {
    const without = replayPlan({ saved, wave, task: 't05', crossings: [] });
    const added = replay.tasks[0]!.deadlineMs - without.tasks[0]!.deadlineMs;
    expect(added).toBe(190_000 + 190_000 + 93_500);
    expect(replay.deadlineMs).toBeGreaterThan(replay.tasks[0]!.deadlineMs);
  });

  test('refuses a task that the wave did not have, and lists those it had', () => {
    const attempt = (): unknown => replayPlan({ saved, wave, task: 't09', crossings });
    expect(attempt).toThrow(UsageError);
    expect(attempt).toThrow(`--replay ${wave}/t09: the wave has no task t09; it has t01, t02, t03`);
  });
});
