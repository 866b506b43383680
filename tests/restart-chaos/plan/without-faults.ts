/** The control arm of a plan. */
import { UsageError } from '../model/errors.ts';
import type { WavePlan } from '../model/plan.ts';

/**
 * The same tasks, agents and limits, and no fault. Deadlines stay as they are: the arm must not fail for having had less
 * time. Throws UsageError for a plan that has no fault, because it is its own control arm.
 */
export function withoutFaults(plan: WavePlan): WavePlan {
  if (plan.tasks.every(({ faults }) => faults.length === 0)) {
    throw new UsageError(['--control runs the plan again without faults, and this plan has none; leave it out']);
  }
  return { ...plan, tasks: plan.tasks.map((task) => ({ ...task, faults: [] })) };
}
