/**
 * Where the boundaries of doc/rules.md lie on a plane: which commit, beacon or state of the server is the moment. What
 * a plane or today's workloads do not have is said with the reason, so that nobody waits for it.
 */
import type { BoundaryId, BoundaryMoment } from '../model/boundary.ts';
import { UsageError } from '../model/errors.ts';
import type { MomentTrigger } from '../model/fault.ts';
import { unreachable } from '../model/invariant.ts';
import { workloadIds, type WorkloadId } from '../model/plan.ts';
import { parseTarget } from '../model/target.ts';

/** A boundary on one plane. */
export type Boundary =
  | {
      readonly moment: BoundaryMoment;
      /** Workloads whose tasks come to it by themselves. */
      readonly reachedBy: readonly WorkloadId[];
      /** Why `reachedBy` is short or empty, or how the moment differs from its name on this plane; null: nothing to say. */
      readonly note: string | null;
    }
  | { readonly moment: null; readonly because: string };

type BoundaryTable = Readonly<Record<BoundaryId, Boundary>>;

/** The user that every request of the harness's board has on a plane in its local mode. */
const boardUser = 'local-board';

// Every agent's exit ends in one update that stores the exit code with the final status; what the plane writes about a
// run whose process it has lost has no exit code.
const finalUpdate = 'update heartbeat_runs set status,exit_code';

const commented: readonly WorkloadId[] = ['C1', 'S1'];
const commentNote = 'only C1 and S1 have a comment of the board';

const paperclip: BoundaryTable = {
  BT01: after('insert issues'),
  BT02: after('insert heartbeat_runs set status=queued'),
  BT03: after('update heartbeat_runs set status=running'),
  BT04: before('update heartbeat_runs set process_pid'),
  BT05: at('activity'),
  BT06: at('command_started', ['B1', 'B5'], 'only the workloads with a command run one'),
  BT07: at('after_effect'),
  BT08: {
    ...after(`insert issue_comments set author_user_id=${boardUser}`),
    reachedBy: commented,
    note: commentNote,
  },
  BT09: at('comment_read', commented, commentNote),
  BT10: absent('this plane ends the agent first and stores the Stop then, so that no commit lies between'),
  BT11: before(finalUpdate),
  BT12: {
    ...after(finalUpdate),
    note: 'an agent that sets its issue to done does so before it exits; what is left then is the wake, the agent’s state and the lease',
  },
  BT13: absent('no workload has subtasks'),
  BT14: absent('no workload has subtasks'),
  BT15: absent('no workload has an approval or a question'),
  BT16: {
    // The published plane stores the Retry and its run together: there is no commit between them.
    ...after(
      `insert agent_wakeup_requests set requested_by_actor_id=${boardUser} + insert heartbeat_runs set status=queued,retry_of_run_id=*`,
    ),
    reachedBy: [],
    note: 'the board clicks Retry only after another fault: write a plan.json whose task has two faults, the second at BT16',
  },
  BT17: { moment: { kind: 'shutdown' }, reachedBy: workloadIds, note: null },
  BT18: { moment: { kind: 'boot' }, reachedBy: workloadIds, note: null },
};

const lab: BoundaryTable = {
  ...paperclip,
  BT10: {
    ...after('update heartbeat_runs set stop_requested_at'),
    reachedBy: ['S1'],
    note: 'only in S1 does the board press Stop',
  },
};

/** The boundary on the plane that a target is a build of. Throws UsageError for a target that cannot be read. */
export function boundaryOf(target: string, id: BoundaryId): Boundary {
  return tableOf(target)[id];
}

/** How a boundary is met on a target. Throws UsageError with the reason when it is not there. */
export function boundaryMoment(target: string, id: BoundaryId): BoundaryMoment {
  const boundary = boundaryOf(target, id);
  if (boundary.moment !== null) return boundary.moment;
  throw new UsageError([`${id} cannot be met on ${target}: ${boundary.because}`]);
}

/** What a trigger waits for on a target. Throws UsageError like `boundaryMoment`. */
export function momentOf(target: string, trigger: MomentTrigger): BoundaryMoment {
  if (trigger.on === 'boundary') return boundaryMoment(target, trigger.id);
  return { kind: 'commit', pattern: trigger.pattern, side: trigger.side };
}

/** Whether a task of this workload comes to the moment by itself; nobody knows that of a commit pattern. */
export function isReachedBy(target: string, trigger: MomentTrigger, workload: WorkloadId): boolean {
  if (trigger.on === 'commit') return true;
  const boundary = boundaryOf(target, trigger.id);
  return boundary.moment !== null && boundary.reachedBy.includes(workload);
}

// One table for a family of planes: builds of Paperclip; the lab has their tables and writes in their order.
function tableOf(target: string): BoundaryTable {
  const { kind } = parseTarget(target);
  switch (kind) {
    case 'npm':
    case 'checkout':
      return paperclip;
    case 'lab':
      return lab;
    default:
      return unreachable(kind, 'a kind of target');
  }
}

function after(pattern: string): Boundary & { readonly moment: BoundaryMoment } {
  return { moment: { kind: 'commit', pattern, side: 'after' }, reachedBy: workloadIds, note: null };
}

function before(pattern: string): Boundary & { readonly moment: BoundaryMoment } {
  return { moment: { kind: 'commit', pattern, side: 'before' }, reachedBy: workloadIds, note: null };
}

function at(
  moment: Extract<BoundaryMoment, { readonly kind: 'beacon' }>['moment'],
  reachedBy: readonly WorkloadId[] = workloadIds,
  note: string | null = null,
): Boundary {
  return { moment: { kind: 'beacon', moment }, reachedBy, note };
}

function absent(because: string): Boundary {
  return { moment: null, because };
}
