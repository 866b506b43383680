import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultKinds } from '../faults/catalogue.ts';
import type { FaultChoice, PlannedFault } from '../model/fault.ts';
import { numbersFor } from '../model/numbers.ts';
import type { PlanOptions } from '../model/options.ts';
import { adapterIds, wavePlanSchema, workloadIds, type TaskPlan } from '../model/plan.ts';
import { workloads } from '../workloads/catalogue.ts';
import { checkPlanOptions } from './check-plan-options.ts';
import { planText } from './plan-text.ts';
import { planWave } from './plan-wave.ts';

const anyOptions: fc.Arbitrary<PlanOptions> = fc.record({
  seed: fc.nat(),
  target: fc.constant('paperclip@2026.916.1'),
  environment: fc.constant('local' as const),
  sandbox: fc.constant(null),
  tasks: fc.integer({ min: 1, max: 14 }),
  concurrency: fc.integer({ min: 1, max: 16 }),
  workloads: fc.subarray([...workloadIds], { minLength: 1 }),
  adapters: fc.subarray([...adapterIds], { minLength: 1 }),
  faults: fc.oneof(fc.constant<FaultChoice[]>(['none']), fc.subarray<FaultChoice>([...faultKinds], { minLength: 1 })),
  trigger: fc.constant(null),
  budgetCents: fc.integer({ min: 1, max: 9_999 }),
  timeScale: fc.constantFrom(1, 0.5, 0.05),
});

const offsetOf = ({ trigger }: PlannedFault): number => (trigger.on === 'time' ? trigger.offsetMs : Number.NaN);
const undated = ({ deadlineMs: _deadlineMs, ...task }: TaskPlan): Omit<TaskPlan, 'deadlineMs'> => task;

describe('planWave', () => {
  test('seed 42 gives this plan; changing it is a decision, because saved seeds then mean something else', () => {
    const plan = planWave(checkPlanOptions({ seed: 42 }));
    const lines = plan.tasks.map(({ id, workload, adapter, temperament, pace, nonce, faults }) => {
      const asked = faults.map((fault) => `${fault.kind} at ${offsetOf(fault)} ${JSON.stringify(fault.parameters)}`);
      return [id, workload, adapter, temperament, `${pace.steps}x${pace.stepMs}`, nonce, ...asked].join(' ');
    });
    expect(lines).toMatchInlineSnapshot(`
      [
        "t01 A1 scripted sturdy 7x1220 1101746bc6a5 K4 at 3806 {"holdMs":256139}",
        "t02 B1 process fragile 4x2463 f55e7974b331 K2 at 7803 {"holdMs":1695}",
        "t03 C1 scripted fragile 7x1263 9a4a73b9d8e4 K2 at 3106 {"holdMs":1544}",
        "t04 A1 process sturdy 5x2079 2b2136080a2d K1 at 3639 {}",
        "t05 B1 scripted sturdy 7x1196 3fed57fc7172 K1 at 1316 {}",
        "t06 C1 process fragile 4x2346 afdfadabe361 K1 at 1251 {}",
        "t07 A1 scripted fragile 7x2331 83608a755610 K1 at 6489 {}",
        "t08 B1 process sturdy 6x2376 9ff4e2fc1e16 K4 at 5110 {"holdMs":286031}",
      ]
    `);
    expect([plan.plannedMs, plan.deadlineMs]).toMatchInlineSnapshot(`
      [
        188768,
        3653916,
      ]
    `);
  });

  test('seed 42 with the defaults has everything that it should exercise', () => {
    const { tasks } = planWave(checkPlanOptions({ seed: 42 }));
    const kinds = tasks.flatMap(({ faults }) => faults.map(({ kind }) => kind));
    expect(tasks).toHaveLength(8);
    expect(new Set(tasks.map(({ workload }) => workload))).toEqual(new Set(['A1', 'B1', 'C1']));
    expect(new Set(tasks.map(({ adapter }) => adapter))).toEqual(new Set(['scripted', 'process']));
    expect(new Set(tasks.map(({ temperament }) => temperament))).toEqual(new Set(['fragile', 'sturdy']));
    expect(kinds).toContain('K4');
    expect(kinds).toContain('K1');
    expect(kinds).toContain('K2');
  });

  test('is equal, byte for byte, for equal options', () => {
    fc.assert(
      fc.property(anyOptions, (options) => planText(planWave(options)) === planText(planWave({ ...options }))),
      { numRuns: 50 },
    );
  });

  test('has the shape that plan.json is read with', () => {
    fc.assert(
      fc.property(anyOptions, (options) => {
        const plan = planWave(options);
        expect(wavePlanSchema.parse(plan)).toEqual(plan);
      }),
    );
  });

  test('without faults is the same plan otherwise', () => {
    fc.assert(
      fc.property(anyOptions, (options) => {
        const control = planWave({ ...options, faults: ['none'] }).tasks;
        const struck = planWave({ ...options, faults: ['K1', 'K4'] }).tasks;
        expect(control.every(({ faults }) => faults.length === 0)).toBe(true);
        expect(control.map(undated)).toEqual(struck.map((task) => ({ ...undated(task), faults: [] })));
      }),
    );
  });

  test('one more workload, fault kind, task or place does not move paces and nonces', () => {
    fc.assert(
      fc.property(anyOptions, (options) => {
        const drawn = ({ id, pace, nonce }: TaskPlan): unknown => [id, pace, nonce];
        const more = planWave({
          ...options,
          workloads: workloadIds,
          faults: ['K2', 'K6'],
          tasks: options.tasks + 1,
          concurrency: 1,
        });
        expect(more.tasks.slice(0, options.tasks).map(drawn)).toEqual(planWave(options).tasks.map(drawn));
      }),
    );
  });

  test('a task works for 8 to 20 s, and its fault strikes between its first second and the last quarter of its work', () => {
    fc.assert(
      fc.property(anyOptions, (options) => {
        for (const { pace, workload, faults } of planWave(options).tasks) {
          expect(pace.steps).toSatisfy((steps: number) => steps >= 4 && steps <= 10);
          expect(pace.stepMs).toSatisfy((ms: number) => ms >= 800 && ms <= 2_500);
          expect(pace.steps * pace.stepMs).toSatisfy((ms: number) => ms >= 8_000 && ms <= 20_000);
          const workMs = workloads[workload].workMs(pace, numbersFor(options.timeScale));
          const isStopped = workload === 'S1';
          expect(faults.every(({ trigger }) => (trigger.on === 'stop') === isStopped)).toBe(true);
          for (const offsetMs of isStopped ? [] : faults.map(offsetOf)) {
            expect(offsetMs).toBeGreaterThanOrEqual(1_000);
            expect(offsetMs).toBeLessThanOrEqual(1_000 + 0.75 * workMs + 1);
            if (workload !== 'B5') expect(offsetMs).toBeLessThanOrEqual(16_000);
          }
        }
      }),
    );
  });

  test('with a trigger is the same plan otherwise, and every fault waits for it', () => {
    const anyTrigger = fc.constantFrom('bt:04', 'bt:05@2', 'bt:17', 'bt:18', 'commit:insert issues@2:after');
    fc.assert(
      fc.property(fc.nat(), anyTrigger, (seed, text) => {
        const raw = { seed, faults: 'K1,K2,K3,K4,K5,K6' };
        const options = checkPlanOptions({ ...raw, trigger: text });
        const timed = planWave(checkPlanOptions(raw)).tasks.map(undated);
        const waiting = timed.map((task) => ({
          ...task,
          faults: task.faults.map((fault) => ({ ...fault, trigger: options.trigger })),
        }));
        expect(planWave(options).tasks.map(undated)).toEqual(waiting);
      }),
    );
  });

  test('plans no fault for a task that never comes to the moment', () => {
    const plan = planWave(checkPlanOptions({ seed: 42, trigger: 'bt:09', faults: 'K1' }));
    for (const { workload, faults } of plan.tasks) expect(faults).toHaveLength(workload === 'C1' ? 1 : 0);
    expect(plan.tasks.some(({ workload }) => workload === 'C1')).toBe(true);
  });

  test('nonces of a wave are all different', () => {
    const nonces = planWave(checkPlanOptions({ seed: 42, tasks: 99 })).tasks.map(({ nonce }) => nonce);
    expect(new Set(nonces).size).toBe(99);
    for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{12}$/);
  });

  test('a time scale shortens waits and leaves every draw alone', () => {
    const real = planWave(checkPlanOptions({ seed: 9, faults: 'K4' }));
    const short = planWave(checkPlanOptions({ seed: 9, faults: 'K4', timeScale: 0.05 }));
    expect(short.tasks.map(undated)).toEqual(real.tasks.map(undated));
    expect(short.deadlineMs).toBeLessThan(real.deadlineMs);
    expect(short.plannedMs).toBeLessThan(real.plannedMs);
  });
});
