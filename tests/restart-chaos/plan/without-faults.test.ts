import { expect, it } from 'vitest';
import { checkPlanOptions } from './check-plan-options.ts';
import { planWave } from './plan-wave.ts';
import { withoutFaults } from './without-faults.ts';

it('is the plan that `--faults none` draws from the same seed, with the time of the plan with faults', () => {
  const struck = planWave(checkPlanOptions({ seed: 42 }));
  const control = planWave(checkPlanOptions({ seed: 42, faults: 'none' }));
  const tasks = control.tasks.map((task, index) => ({ ...task, deadlineMs: struck.tasks[index]?.deadlineMs }));
  const { plannedMs, deadlineMs } = struck;
  expect(withoutFaults(struck)).toEqual({ ...control, tasks, plannedMs, deadlineMs });
});

it('refuses a plan that has no faults', () => {
  const control = planWave(checkPlanOptions({ seed: 42, faults: 'none' }));
  expect(() => withoutFaults(control)).toThrow('--control runs the plan again without faults, and this plan has none');
});
