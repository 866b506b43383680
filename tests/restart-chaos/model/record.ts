/** What grading leaves behind: grade.json of a task, wave.json of a wave, lines of the ledger. */
import type { BoundaryId } from './boundary.ts';
import type { LabelledFailure } from './control-arm.ts';
import type { ExitCode } from './exit-code.ts';
import type { FaultRecord } from './facts.ts';
import type { FaultKind } from './fault.ts';
import type { Finding, RuleId, RuleResult, Verdict } from './finding.ts';
import type { FaultRef, TaskId, WaveId } from './ids.ts';
import type { WaveRuleResult } from './wave-rule.ts';
import type { AdapterId, TaskPlan, Temperament, WorkloadId } from './plan.ts';

/** The stable name of a failure: without ids or times, so that it is the same in the next wave. */
export interface Signature {
  readonly rule: RuleId;
  readonly code: string;
  /** Kind of the decisive fault (grade/decisive-fault.ts); null when no fault crossed the task. */
  readonly fault: FaultKind | null;
  /** The boundary at which that fault struck this task, when it waited for one. */
  readonly boundary?: BoundaryId;
  readonly adapter: AdapterId;
  readonly temperament: Temperament;
}

/** One line, used as key: `R3 no_retry_offered · K1 · scripted · fragile`, or with `K1@BT04` in it. */
export function signatureText(signature: Signature): string {
  return `${signature.rule} ${signature.code} · ${struckByText(signature)} · ${signature.adapter} · ${signature.temperament}`;
}

/** `K1`, `K1@BT04`, `no fault`. */
export function struckByText({ fault, boundary }: Pick<Signature, 'fault' | 'boundary'>): string {
  if (fault === null) return 'no fault';
  return boundary === undefined ? fault : `${fault}@${boundary}`;
}

/** How a fault that crossed a task is named: at a boundary struck only the task that it waited for. */
export function struckBy(
  { kind, trigger, requestedBy }: Pick<FaultRecord, 'kind' | 'trigger' | 'requestedBy'>,
  task: TaskId,
): Pick<Signature, 'boundary'> & { readonly fault: FaultKind } {
  return trigger.on === 'boundary' && requestedBy === task ? { fault: kind, boundary: trigger.id } : { fault: kind };
}

/** How a task went on after its faults: reported, never judged by itself. */
export const continuations = ['not_crossed', 'automatic', 'one_working_retry', 'not_at_all'] as const;
export type Continuation = (typeof continuations)[number];

/** Speed of one task: reported, never judged. Milliseconds; null when it did not happen. */
export interface TaskSpeed {
  /** From the creation of the first run to its first activity. */
  readonly firstActivityMs: number | null;
  /** From ready after the last crossing fault to the first activity after it. */
  readonly resumeMs: number | null;
  /** From the creation to rest. */
  readonly restMs: number | null;
}

export interface TaskGrade {
  readonly schema: 1;
  readonly task: TaskId;
  readonly verdict: Verdict;
  /** Why the task is invalid or unknown as a whole; empty otherwise. */
  readonly because: readonly string[];
  readonly crossedBy: readonly { readonly ref: FaultRef; readonly kind: FaultKind; readonly offsetMs: number }[];
  readonly rules: readonly RuleResult[];
  readonly signatures: readonly { readonly signature: Signature; readonly text: string; readonly finding: Finding }[];
  readonly continuation: Continuation;
  readonly restStatus: string | null;
  readonly restReason: string | null;
  readonly speed: TaskSpeed;
}

export interface WaveRecord {
  readonly schema: 1;
  readonly wave: WaveId;
  readonly seed: number;
  readonly target: string;
  readonly commit: string;
  readonly dialect: string | null;
  readonly timeScale: number;
  readonly replayOf: { readonly wave: string; readonly task: TaskId } | null;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly plannedMs: number;
  readonly deadlineMs: number;
  readonly verdict: Verdict;
  /** Why the wave as a whole is not a pass; empty when it is. */
  readonly because: readonly string[];
  readonly exitCode: ExitCode;
  /** Failures of our own; any of them makes the exit code 2. */
  readonly harnessErrors: readonly { readonly code: string; readonly message: string }[];
  /** Things of the company that no task owns and that were left. */
  readonly orphans: readonly { readonly what: string; readonly id: string; readonly note: string }[];
  readonly faults: readonly (FaultRecord & { readonly readyMs: number | null; readonly proof: readonly string[] })[];
  readonly tasks: readonly { readonly plan: TaskPlan; readonly identifier: string | null; readonly grade: TaskGrade }[];
  /** What the rules of the wave say; none of a record from before there were any. */
  readonly waveRules?: readonly WaveRuleResult[];
  /** Only of a wave that ran its own control arm: which wave that was, and what it says of each failure. */
  readonly control?: { readonly wave: WaveId; readonly failures: readonly LabelledFailure[] };
  /** Lines of the event log that could not be read. */
  readonly tornLines: number;
}

/** One line of results/ledger.jsonl. */
export type LedgerLine =
  | {
      readonly schema: 1;
      readonly record: 'wave';
      readonly wave: WaveId;
      readonly wall: string;
      readonly seed: number;
      readonly target: string;
      readonly timeScale: number;
      readonly verdict: Verdict;
      readonly exitCode: number;
      readonly durationMs: number;
      readonly tasks: number;
      readonly crossed: number;
      /** The plan had no faults. */
      readonly control: boolean;
      /** The wave that ran the same plan without faults; only when `--control` asked for it. */
      readonly controlWave?: WaveId;
    }
  | {
      readonly schema: 1;
      readonly record: 'task';
      readonly wave: WaveId;
      readonly task: TaskId;
      readonly workload: WorkloadId;
      readonly adapter: AdapterId;
      readonly temperament: Temperament;
      readonly verdict: Verdict;
      readonly crossedBy: readonly string[];
      readonly signatures: readonly string[];
      /** Those that the wave's own control arm shows too; only of a wave that ran one. */
      readonly notCausedByFault?: readonly string[];
      readonly continuation: Continuation;
      readonly speed: TaskSpeed;
      readonly target: string;
    }
  | {
      readonly schema: 1;
      readonly record: 'fault';
      readonly wave: WaveId;
      readonly ref: FaultRef;
      readonly kind: FaultKind;
      readonly requestedBy: TaskId;
      readonly landed: boolean;
      readonly readyMs: number | null;
    };

/** A failure as the ledger knows it over all waves. */
export interface KnownFailure {
  readonly signature: string;
  readonly target: string;
  readonly firstWave: WaveId;
  readonly lastWave: WaveId;
  readonly seenIn: number;
  readonly replay: string;
  /** `open`: seen in the last wave that could have shown it; `not_seen_since` otherwise. */
  readonly status: 'open' | 'not_seen_since';
}
