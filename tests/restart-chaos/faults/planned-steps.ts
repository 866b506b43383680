/** Everything that is done to the plane for one fault of a plan: its own steps, begun as its trigger asks. */
import { isMoment, type FaultStep, type PlannedFault } from '../model/fault.ts';
import { invariant } from '../model/invariant.ts';
import type { Numbers } from '../model/numbers.ts';
import { momentOf } from './boundaries.ts';
import { stepsOf } from './catalogue.ts';
import { momentProblem, stepsAt } from './moment-steps.ts';

/**
 * The steps, in order. Throws UsageError for a boundary that the target does not have, and an invariant error for a
 * fault that `momentProblem` or `parameterProblems` refuses; a plan that was read or drawn has neither.
 */
export function plannedSteps(fault: PlannedFault, numbers: Numbers, target: string): readonly FaultStep[] {
  const steps = stepsOf(fault, numbers);
  if (!isMoment(fault.trigger)) return steps;
  const moment = momentOf(target, fault.trigger);
  const problem = momentProblem(fault.kind, moment);
  invariant(problem === null, `${fault.kind} strikes at a moment that it can strike at: ${problem}`);
  return stepsAt(moment, steps, numbers);
}
