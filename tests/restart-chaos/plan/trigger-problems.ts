/** Why faults cannot strike at a moment: what the plane, the workloads or the faults themselves do not have. */
import { boundaryOf, isReachedBy, momentOf } from '../faults/boundaries.ts';
import { momentProblem } from '../faults/moment-steps.ts';
import type { FaultKind, MomentTrigger } from '../model/fault.ts';
import type { PlanOptions } from '../model/options.ts';
import { workloadIds, type WorkloadId } from '../model/plan.ts';
import { workloads as workloadCatalogue } from '../workloads/catalogue.ts';

/** What contradicts the trigger of some options, each in one sentence; empty when nothing does. */
export function triggerProblems({ trigger, target, faults, workloads }: PlanOptions): readonly string[] {
  if (trigger === null) return [];
  if (faults.includes('none')) return ['--trigger needs a fault; --faults none is the control arm and has none'];
  if (trigger.on === 'stop') return stopProblems(workloads).map((problem) => `--trigger stop: ${problem}`);
  const absent = absenceProblem(target, trigger);
  if (absent !== null) return [`--trigger: ${absent}`];
  const unreached = workloads.some((workload) => isReachedBy(target, trigger, workload))
    ? []
    : [`--trigger: ${unreachedText(target, trigger, workloads)}`];
  const ofKinds = faults.flatMap((kind) => (kind === 'none' ? [] : kindProblem(kind, target, trigger)));
  return [...unreached, ...ofKinds.map((problem) => `--trigger: ${problem}`)];
}

/** Why a fault cannot wait for the Stop of tasks with these workloads; empty when it can. */
export function stopProblems(workloads: readonly WorkloadId[]): readonly string[] {
  const without = workloads.filter((id) => !canStop(id));
  if (without.length === 0) return [];
  return [
    `only a workload in which the board presses Stop has that moment (${stopping.join(', ')}); got ${without.join(', ')}`,
  ];
}

const canStop = (id: WorkloadId): boolean => workloadCatalogue[id].followUps.includes('stop');
const stopping = workloadIds.filter(canStop);

/** Why a target does not have the moment; null when it does. */
export function absenceProblem(target: string, trigger: MomentTrigger): string | null {
  if (trigger.on === 'commit') return null;
  const boundary = boundaryOf(target, trigger.id);
  return boundary.moment === null ? `${trigger.id} cannot be met on ${target}: ${boundary.because}` : null;
}

/** Why a kind of fault cannot strike at a moment that the target has; empty when it can. */
export function kindProblem(kind: FaultKind, target: string, trigger: MomentTrigger): readonly string[] {
  const moment = momentOf(target, trigger);
  const problem = momentProblem(kind, moment);
  const where = trigger.on === 'boundary' ? `${trigger.id} (${moment.kind})` : 'a commit';
  return problem === null ? [] : [`${kind} cannot strike at ${where}: ${problem}`];
}

function unreachedText(target: string, trigger: MomentTrigger, workloads: readonly WorkloadId[]): string {
  if (trigger.on === 'commit') return '';
  const boundary = boundaryOf(target, trigger.id);
  const why = boundary.moment === null ? boundary.because : (boundary.note ?? 'no reason is known');
  return `no task of ${workloads.join(', ')} comes to ${trigger.id}: ${why}`;
}
