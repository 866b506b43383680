/**
 * Waits for the moments that faults are to strike at: a commit of their task, through the tap, or a beacon of its agent.
 * When one comes, the plane (or the agent) stands still until the fault strikes, for a bounded time; what happens then is
 * the queue's business.
 */
import { boundaryMoment } from '../faults/boundaries.ts';
import type { BoundaryMoment } from '../model/boundary.ts';
import { errorText } from '../model/errors.ts';
import type { Beacon } from '../model/event.ts';
import { isMoment, type CommitSide, type PlannedFault } from '../model/fault.ts';
import type { TaskId } from '../model/ids.ts';
import type { TaskPlan } from '../model/plan.ts';
import type { MissedBecause } from '../postgres/tap/tap.ts';
import { withinTime } from '../process/wait.ts';
import type { CommitMet } from './commit-waits.ts';
import type { DueFault } from './due-fault.ts';
import { readHeldCommit } from './settle-commit.ts';
import type { Stage } from './stage.ts';

/** A fault whose moment has not come. */
export interface ExpectedFault {
  readonly task: TaskId;
  readonly planned: PlannedFault;
}

interface Expected extends ExpectedFault {
  readonly stopWaiting: () => Promise<void> | void;
}

/** A commit trigger, whether it was asked for as such or by the name of a boundary. */
interface CommitAt {
  readonly pattern: string;
  readonly occurrence: number;
  readonly side: CommitSide;
}

/** An agent waits two seconds for its answer; a little less, so that it is known in time that it went on. */
const beaconLimitMs = 1_800;

/**
 * Longest that a commit is held before its fault begins. Snapshots take 20 to 200 ms; what takes longer is a collection of
 * another task, and the plane's own leases (60 s) must not run out because of us.
 */
const commitLimitMs = 5_000;

/** The moments of one wave that have not come yet. */
export class FaultMoments {
  readonly #stage: Stage;
  readonly #due: (fault: DueFault) => void;
  readonly #leftOut: (fault: ExpectedFault, reason: string) => void;
  readonly #expected = new Set<Expected>();

  /** Each fault that is expected is told of once: `due` when its moment came, `leftOut` when it came and cannot be had. */
  constructor(
    stage: Stage,
    { due, leftOut }: { due: (fault: DueFault) => void; leftOut: (fault: ExpectedFault, reason: string) => void },
  ) {
    this.#stage = stage;
    this.#due = due;
    this.#leftOut = leftOut;
  }

  /** Begins to wait for every moment of a task's faults. */
  async expect(plan: TaskPlan): Promise<void> {
    for (const [index, planned] of plan.faults.entries()) {
      const { trigger } = planned;
      if (!isMoment(trigger)) continue;
      const moment: BoundaryMoment =
        trigger.on === 'commit'
          ? { kind: 'commit', pattern: trigger.pattern, side: trigger.side }
          : boundaryMoment(this.#stage.plan.target, trigger.id);
      const fault = { task: plan.id, planned };
      const { occurrence } = trigger;
      if (moment.kind === 'commit') {
        const { pattern, side } = moment;
        await this.#expectCommit(fault, `${plan.id}/${index}`, { pattern, side, occurrence });
      } else {
        this.#expectBeacon(fault, { moment: beaconOf(moment), occurrence });
      }
    }
  }

  /** Stops waiting for what a task's faults still wait for, or everybody's for null; gives these faults. */
  async withdraw(task: TaskId | null): Promise<readonly ExpectedFault[]> {
    const left = [...this.#expected].filter((each) => task === null || each.task === task);
    for (const each of left) {
      this.#expected.delete(each);
      await each.stopWaiting();
    }
    return left;
  }

  async #expectCommit(fault: ExpectedFault, id: string, at: CommitAt): Promise<void> {
    const { commits } = this.#stage;
    const expected = this.#remember(fault, () => commits.withdraw(id));
    const rule = { id, task: fault.task, pattern: at.pattern, occurrence: at.occurrence };
    await commits.expect(rule, (met) => {
      this.#expected.delete(expected);
      void this.#commitMet(fault, id, at, met);
    });
  }

  async #commitMet(fault: ExpectedFault, rule: string, at: CommitAt, met: CommitMet): Promise<void> {
    const { emit, truth, clock, control } = this.#stage;
    const { task, planned } = fault;
    if (met.met === 'missed') return this.#leftOut(fault, missedReasons[met.because]);
    const dueAtMs = clock.nowMs();
    const letGo = async (): Promise<void> => {
      await control.tap?.ask({ do: 'let_go', rule }).catch(() => undefined);
    };
    const timer = setTimeout(() => void letGo(), commitLimitMs);
    try {
      const commit = await readHeldCommit(truth, met.commit);
      const { backendPid, statements, heldAtMs } = met.commit;
      const transaction = commit.transaction ?? '';
      emit({ kind: 'commit_held', requestedBy: task, ...at, statements, backendPid, transaction, heldAtMs });
      this.#due({
        ...fault,
        dueAtMs,
        commit,
        begins: async () => {
          clearTimeout(timer);
          const holding = await control.tap?.ask({ do: 'is_holding', rule });
          return holding === true ? null : 'its commit could not be held until the fault could strike';
        },
        struck: () => undefined,
        over: async () => {
          clearTimeout(timer);
          await letGo();
        },
      });
    } catch (error) {
      clearTimeout(timer);
      await letGo();
      const message = `fault ${planned.kind} of ${task} held its commit and could not go on: ${errorText(error)}`;
      emit({ kind: 'harness_error', code: 'fault-not-landed', message });
      this.#leftOut(fault, 'its commit could not be looked at');
    }
  }

  #expectBeacon(fault: ExpectedFault, at: { readonly moment: Beacon['moment']; readonly occurrence: number }): void {
    const { beacons, clock } = this.#stage;
    const stopWaiting = beacons.expect({ task: fault.task, ...at }, async () => {
      this.#expected.delete(expected);
      let stands = true;
      const settled = new Promise<void>((resolve) => {
        this.#due({
          ...fault,
          dueAtMs: clock.nowMs(),
          commit: null,
          begins: async () => (stands ? null : 'the agent had gone on before the fault could strike'),
          struck: resolve,
          over: async () => resolve(),
        });
      });
      await withinTime(settled, beaconLimitMs);
      stands = false;
    });
    const expected = this.#remember(fault, stopWaiting);
  }

  #remember(fault: ExpectedFault, stopWaiting: Expected['stopWaiting']): Expected {
    const expected = { ...fault, stopWaiting };
    this.#expected.add(expected);
    return expected;
  }
}

const missedReasons: Readonly<Record<MissedBecause, string>> = {
  suspended: 'its commit passed while something else was being done to the plane',
  another_commit_held: 'its commit passed while another one was held',
  backend_unknown: 'its commit passed on a connection whose database process is not known',
};

/**
 * Where a fault begins whose moment is made by the fault itself, in a shutdown or a boot of its own: when the agent has
 * work in hand.
 */
function beaconOf(moment: Exclude<BoundaryMoment, { kind: 'commit' }>): Beacon['moment'] {
  return moment.kind === 'beacon' ? moment.moment : 'activity';
}
