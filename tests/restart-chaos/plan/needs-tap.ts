/** Which faults of a plan can only be carried out through the tap between the plane and its database. */
import { momentOf } from '../faults/boundaries.ts';
import { isMoment, type PlannedFault } from '../model/fault.ts';
import type { WavePlan } from '../model/plan.ts';
import { triggerText } from '../model/trigger-text.ts';

/** One text a fault, `t01 K1 at BT04`; empty when the plan can do without the tap. */
export function needingTap(plan: WavePlan): readonly string[] {
  return plan.tasks.flatMap(({ id, faults }) =>
    faults
      .filter((fault) => needsTap(fault, plan.target))
      .map(({ kind, trigger }) => `${id} ${kind} ${triggerText(trigger)}`),
  );
}

function needsTap({ kind, trigger }: PlannedFault, target: string): boolean {
  if (kind.startsWith('DB')) return true;
  return isMoment(trigger) && momentOf(target, trigger).kind === 'commit';
}
