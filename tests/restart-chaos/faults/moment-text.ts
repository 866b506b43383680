/** How a moment is met, in words: for the summary of a wave and for a plan that is refused. */
import type { BoundaryMoment } from '../model/boundary.ts';
import type { Trigger } from '../model/fault.ts';
import { unreachable } from '../model/invariant.ts';
import { boundaryOf } from './boundaries.ts';

/** `commit: before update heartbeat_runs set process_pid`, `beacon: activity`. */
export function momentText(moment: BoundaryMoment): string {
  switch (moment.kind) {
    case 'commit':
      return `commit: ${moment.side} ${moment.pattern}`;
    case 'beacon':
      return `beacon: ${moment.moment}`;
    case 'shutdown':
      return 'shutdown: SIGTERM sent, not yet exited';
    case 'boot':
      return 'boot: between listening and ready';
    default:
      return unreachable(moment, 'a moment');
  }
}

/** What stands behind the name in a trigger; null for a trigger without a name, and for one the target does not have. */
export function namedMomentText(target: string, trigger: Trigger): string | null {
  if (trigger.on !== 'boundary') return null;
  const { moment } = boundaryOf(target, trigger.id);
  return moment === null ? null : momentText(moment);
}
