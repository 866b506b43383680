/** Everything a rule may look at: one task, from what is on disk. */
import type { Manifest, OracleEvidence, Sweep } from './evidence.ts';
import type { WaveEvent } from './event.ts';
import type { FaultKind, Trigger } from './fault.ts';
import type { FaultRef, TaskId } from './ids.ts';
import type { Numbers } from './numbers.ts';
import type { TaskPlan } from './plan.ts';
import type { WriteTransaction } from './tape.ts';
import type { TaskTruth } from './truth.ts';
import type { CommentView, DocumentView, IssueView, RunView } from './view.ts';

/** One fault as it really went, folded from the events. */
export interface FaultRecord {
  readonly ref: FaultRef;
  readonly kind: FaultKind;
  readonly trigger: Trigger;
  readonly requestedBy: TaskId;
  readonly startedAtMs: number;
  /** When its first signal had its effect; null when it had none. */
  readonly struckAtMs: number | null;
  /** When the plane was ready again; null when it never was. */
  readonly readyAtMs: number | null;
  /** Null while in progress: the wave died in the middle of it. */
  readonly endedAtMs: number | null;
  readonly landed: boolean;
  readonly reason: string | null;
}

/** A file that could not be collected or read is null, and the rules that need it are unknown. */
export interface TaskFacts {
  readonly plan: TaskPlan;
  readonly numbers: Numbers;
  /** Name of the dialect the plane was found to speak. */
  readonly dialect: string;
  /** Events of this task and of the whole wave, in order. */
  readonly timeline: readonly WaveEvent[];
  /** Why lines are missing from the wave's event log; null when it is whole. */
  readonly evidenceGaps: string | null;
  /** Every fault of the wave; which of them crossed the task is for grade/crossing.ts to say. */
  readonly faults: readonly FaultRecord[];
  readonly issue: IssueView | null;
  readonly runs: readonly RunView[] | null;
  readonly comments: readonly CommentView[] | null;
  readonly documents: readonly DocumentView[] | null;
  readonly truth: {
    readonly before: TaskTruth | null;
    readonly after: TaskTruth | null;
    readonly rest: TaskTruth | null;
  };
  readonly manifests: {
    readonly before: Manifest | null;
    readonly after: Manifest | null;
    readonly rest: Manifest | null;
  };
  readonly sweep: Sweep | null;
  readonly oracle: OracleEvidence | null;
  /** Write transactions that touch the task, in order (tape.ts); null when the wave ran without a tap or it was lost. */
  readonly tape: readonly WriteTransaction[] | null;
  /** Worktrees of the other tasks of the wave, by task: to see that nobody shared one. */
  readonly otherWorktrees: Readonly<Record<TaskId, string>>;
}
