/**
 * Waits for the moments that faults are to strike at: a commit of their task, through the tap, or a beacon of its agent.
 * When one comes, the plane (or the agent) stands still until the fault has struck; what happens then is the queue's
 * business.
 */
import { boundaryMoment } from '../faults/boundaries.ts';
import type { BoundaryMoment } from '../model/boundary.ts';
import { errorText } from '../model/errors.ts';
import type { CommitSide, PlannedFault } from '../model/fault.ts';
import type { TaskId } from '../model/ids.ts';
import type { TaskPlan } from '../model/plan.ts';
import { withinTime } from '../process/wait.ts';
import type { CommitMet } from './commit-waits.ts';
import type { DueFault } from './fault-queue.ts';
import { transactionOf } from './settle-commit.ts';
import type { Stage } from './stage.ts';

interface Expected {
  readonly task: TaskId;
  readonly planned: PlannedFault;
  readonly stopWaiting: () => Promise<void> | void;
}

/** A commit trigger, whether it was asked for as such or by the name of a boundary. */
interface CommitAt {
  readonly pattern: string;
  readonly occurrence: number;
  readonly side: CommitSide;
}

/**
 * An agent waits two seconds for its answer. It may go on a little earlier, because a fault that could not strike by
 * then strikes somewhere else.
 */
const beaconLimitMs = 1_800;

/** The moments of one wave that have not come yet. */
export class FaultMoments {
  readonly #stage: Stage;
  readonly #due: (fault: DueFault) => void;
  readonly #expected = new Set<Expected>();

  constructor(stage: Stage, due: (fault: DueFault) => void) {
    this.#stage = stage;
    this.#due = due;
  }

  /** Begins to wait for every moment of a task's faults. */
  async expect(plan: TaskPlan): Promise<void> {
    for (const [index, planned] of plan.faults.entries()) {
      const { trigger } = planned;
      if (trigger.on === 'commit') await this.#expectCommit({ plan, planned, id: `${plan.id}/${index}` }, trigger);
      if (trigger.on !== 'boundary') continue;
      const moment = boundaryMoment(this.#stage.plan.target, trigger.id);
      if (moment.kind === 'commit') {
        const at = { ...moment, occurrence: trigger.occurrence };
        await this.#expectCommit({ plan, planned, id: `${plan.id}/${index}` }, at);
      } else {
        this.#expectBeacon(plan, planned, { ...beaconOf(moment), occurrence: trigger.occurrence });
      }
    }
  }

  /** Stops waiting for what a task's faults still wait for; gives these faults. */
  async withdraw(task: TaskId): Promise<readonly PlannedFault[]> {
    const left = [...this.#expected].filter((each) => each.task === task);
    for (const each of left) {
      this.#expected.delete(each);
      await each.stopWaiting();
    }
    return left.map(({ planned }) => planned);
  }

  async #expectCommit(
    { plan, planned, id }: { readonly plan: TaskPlan; readonly planned: PlannedFault; readonly id: string },
    at: CommitAt,
  ): Promise<void> {
    const { commits } = this.#stage;
    const expected = this.#remember(plan, planned, () => commits.withdraw(id));
    const rule = { id, task: plan.id, pattern: at.pattern, occurrence: at.occurrence };
    await commits.expect(rule, (met) => {
      this.#expected.delete(expected);
      void this.#commitMet(expected, at, met);
    });
  }

  async #commitMet({ task, planned }: Expected, at: CommitAt, met: CommitMet): Promise<void> {
    const { emit, truth, clock, control } = this.#stage;
    const dueAtMs = clock.nowMs();
    if (met.met === 'missed') {
      const reason = 'its commit passed while another fault was in progress';
      return emit({ kind: 'fault_skipped', fault: planned.kind, requestedBy: task, reason });
    }
    const { commit } = met;
    try {
      const transaction = await transactionOf(truth, commit);
      const { backendPid, statements } = commit;
      emit({ kind: 'commit_held', requestedBy: task, ...at, statements, backendPid, transaction: transaction ?? '' });
      this.#due({ planned, task, dueAtMs, commit: { commit, transaction }, settled: () => undefined });
    } catch (error) {
      await control.tap?.ask({ do: 'let_go' });
      const message = `fault ${planned.kind} of ${task} held its commit and could not go on: ${errorText(error)}`;
      emit({ kind: 'harness_error', code: 'fault-not-landed', message });
    }
  }

  #expectBeacon(
    plan: TaskPlan,
    planned: PlannedFault,
    at: { readonly moment: Extract<BoundaryMoment, { kind: 'beacon' }>['moment']; readonly occurrence: number },
  ): void {
    const { beacons, clock } = this.#stage;
    const stopWaiting = beacons.expect({ task: plan.id, ...at }, async () => {
      this.#expected.delete(expected);
      const struck = new Promise<void>((settled) => {
        this.#due({ planned, task: plan.id, dueAtMs: clock.nowMs(), commit: null, settled });
      });
      await withinTime(struck, beaconLimitMs);
    });
    const expected = this.#remember(plan, planned, stopWaiting);
  }

  #remember(plan: TaskPlan, planned: PlannedFault, stopWaiting: Expected['stopWaiting']): Expected {
    const expected = { task: plan.id, planned, stopWaiting };
    this.#expected.add(expected);
    return expected;
  }
}

/**
 * Where a fault begins whose moment is made by the fault itself, in a shutdown or a boot of its own: when the agent has
 * work in hand.
 */
function beaconOf(moment: Exclude<BoundaryMoment, { kind: 'commit' }>): {
  readonly moment: Extract<BoundaryMoment, { kind: 'beacon' }>['moment'];
} {
  return moment.kind === 'beacon' ? moment : { moment: 'activity' };
}
