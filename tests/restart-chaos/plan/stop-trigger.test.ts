import { describe, expect, test } from 'vitest';
import { UsageError } from '../model/errors.ts';
import { checkPlanOptions } from './check-plan-options.ts';
import { planText } from './plan-text.ts';
import { planWave } from './plan-wave.ts';
import { readPlan } from './read-plan.ts';
import { replayPlan } from './replay-plan.ts';

const stopped = { workloads: 'S1', faults: 'K1', tasks: 40 };

describe('a fault of S1', () => {
  test.each([{ trigger: 'stop' }, {}])('strikes within 2 s of the Stop, at a delay of its own: %j', (asked) => {
    const { tasks } = planWave(checkPlanOptions({ seed: 3, ...stopped, ...asked }));
    const delays = tasks.flatMap(({ faults }) =>
      faults.map(({ trigger }) => (trigger.on === 'stop' ? trigger.delayMs : Number.NaN)),
    );
    expect(delays).toHaveLength(40);
    for (const delayMs of delays) expect(delayMs >= 0 && delayMs < 2_000).toBe(true);
    expect(new Set(delays).size).toBeGreaterThan(30);
  });

  test('does not move what other tasks of the wave drew', () => {
    const mixed = planWave(checkPlanOptions({ seed: 3, workloads: 'A1,S1', faults: 'K1', tasks: 8 }));
    const alone = planWave(checkPlanOptions({ seed: 3, workloads: 'A1', faults: 'K1', tasks: 8 }));
    for (const task of mixed.tasks.filter(({ workload }) => workload === 'A1')) {
      const same = alone.tasks.find(({ id }) => id === task.id);
      expect(task.faults).toEqual(same?.faults);
    }
  });

  test('waits for the Stop again in a replay, and strikes at its time where another task had asked for it', () => {
    const saved = planWave(checkPlanOptions({ seed: 3, ...stopped, tasks: 2 }));
    const trigger = { on: 'stop', delayMs: 700 } as const;
    const crossing = { kind: 'K1', parameters: {}, trigger, requestedBy: 't01', offsetMs: 9_100 } as const;
    const again = (task: string): unknown =>
      replayPlan({ saved, wave: 'w-20261130T164512-s3', task, crossings: [crossing] }).tasks[0]?.faults[0]?.trigger;
    expect(again('t01')).toEqual(trigger);
    expect(again('t02')).toEqual({ on: 'time', offsetMs: 9_100 });
  });
});

test('a plan edited by hand in which a task without a Stop waits for one is refused with its place', () => {
  const plan = planWave(checkPlanOptions({ seed: 3, ...stopped, tasks: 1 }));
  const edited = { ...plan, tasks: plan.tasks.map((task) => ({ ...task, workload: 'A1' as const })) };
  expect(() => readPlan(planText(edited))).toThrow(UsageError);
  expect(() => readPlan(planText(edited))).toThrow('tasks[0].faults[0].trigger: only a workload in which the board');
});
