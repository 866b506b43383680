/**
 * Everything that happens in a wave is one append-only stream of these. Live progress, timelines, report and
 * verdicts are folds over it. An event records; it never judges.
 */
import type { ControlTask } from './control-arm.ts';
import type { SnapshotMoment } from './evidence.ts';
import type {
  CommitSide,
  FaultKind,
  FaultParameters,
  FaultStep,
  ProcessIdentity,
  StepProof,
  Trigger,
} from './fault.ts';
import type { FaultRef, TaskId, WaveId } from './ids.ts';
import type { PlaneLook } from './plane-look.ts';
import type { ProviderFaultKind } from './provider-fault.ts';
import type { TapeCounts, TapeStatement } from './tape.ts';
import type { CommentView, DocumentView, IssueView, RetryAnswer, RetryOffer, RunView } from './view.ts';

/** One line of events.jsonl. */
export type WaveEvent = EventStamp & EventBody;

export interface EventStamp {
  /** 1, 2, 3 … without gaps. */
  readonly seq: number;
  /** Monotonic milliseconds since the wave began. */
  readonly atMs: number;
  /** Wall clock, ISO 8601 UTC. */
  readonly wall: string;
}

export type EventBody = WaveLevelEvent | TaskEvent;

export const bootPhases = ['refused', 'starting', 'recovering', 'ready'] as const;
export type BootPhase = (typeof bootPhases)[number];

export type WaveLevelEvent =
  | {
      readonly kind: 'wave_started';
      readonly wave: string;
      readonly seed: number;
      readonly target: string;
      readonly commit: string;
      readonly argv: readonly string[];
    }
  /** The same plan ran without faults before this wave: what its tasks showed. */
  | { readonly kind: 'control_arm'; readonly wave: WaveId; readonly tasks: readonly ControlTask[] }
  | { readonly kind: 'stage_step'; readonly step: string; readonly durationMs: number; readonly detail: string }
  | {
      readonly kind: 'postgres_started';
      readonly process: ProcessIdentity;
      readonly port: number;
      readonly readyMs: number;
    }
  | {
      readonly kind: 'postgres_exit';
      readonly process: ProcessIdentity;
      readonly signal: string | null;
      readonly code: number | null;
      readonly expected: boolean;
    }
  | {
      readonly kind: 'boot_started';
      readonly boot: number;
      readonly process: ProcessIdentity;
      readonly port: number;
      readonly log: string;
    }
  /** `source: 'poll'` is what we saw from outside; `'server'` what the plane says of itself. */
  | {
      readonly kind: 'boot_phase';
      readonly boot: number;
      readonly phase: BootPhase;
      readonly sinceStartMs: number;
      readonly source: 'poll' | 'server';
    }
  | { readonly kind: 'boot_ready'; readonly boot: number; readonly sinceStartMs: number }
  | {
      readonly kind: 'server_exit';
      readonly boot: number;
      readonly process: ProcessIdentity;
      readonly signal: string | null;
      readonly code: number | null;
    }
  | {
      readonly kind: 'server_exit_unexpected';
      readonly boot: number;
      readonly process: ProcessIdentity;
      readonly signal: string | null;
      readonly code: number | null;
    }
  | { readonly kind: 'plane_recovery'; readonly reason: string; readonly ok: boolean; readonly durationMs: number }
  | PlaneLook
  | {
      readonly kind: 'company_read_back';
      readonly ok: boolean;
      /** A read got no answer (refused, timeout, reset): that says nothing about what is stored. */
      readonly unreachable: boolean;
      readonly detail: string;
    }
  | { readonly kind: 'fault_due'; readonly fault: FaultKind; readonly requestedBy: TaskId }
  | { readonly kind: 'fault_skipped'; readonly fault: FaultKind; readonly requestedBy: TaskId; readonly reason: string }
  | {
      readonly kind: 'fault_started';
      readonly ref: FaultRef;
      readonly fault: FaultKind;
      /** As they were planned, not shortened by a time scale. */
      readonly parameters: FaultParameters;
      readonly trigger: Trigger;
      readonly requestedBy: TaskId;
      readonly openTasks: readonly TaskId[];
    }
  | {
      readonly kind: 'fault_step';
      readonly ref: FaultRef;
      readonly index: number;
      readonly step: FaultStep;
      readonly startedAtMs: number;
      readonly endedAtMs: number;
      readonly proof: StepProof;
    }
  | {
      readonly kind: 'fault_ended';
      readonly ref: FaultRef;
      readonly landed: boolean;
      readonly reason: string | null;
      readonly struckAtMs: number | null;
      readonly readyAtMs: number | null;
    }
  /** A commit that a fault waited for is in our hand: done by nobody, seen by nobody. */
  | {
      readonly kind: 'commit_held';
      readonly requestedBy: TaskId;
      readonly pattern: string;
      readonly occurrence: number;
      readonly side: CommitSide;
      readonly statements: readonly TapeStatement[];
      /** Process id of the database's backend, and number of the transaction as the database counts them. */
      readonly backendPid: number;
      readonly transaction: string;
      /** When the tap stopped it; the event comes once the database was asked about it. */
      readonly heldAtMs: number;
    }
  /** A side of a connection between the plane and its database said something that is no protocol. */
  | {
      readonly kind: 'tap_protocol_error';
      readonly connection: number;
      readonly side: 'client' | 'server';
      readonly reason: string;
    }
  /** What passed through the tap, counted at the end of the wave. */
  | { readonly kind: 'tape_closed'; readonly counts: TapeCounts }
  | { readonly kind: 'interrupt'; readonly signal: string; readonly count: number }
  | { readonly kind: 'wave_deadline'; readonly deadlineMs: number }
  | { readonly kind: 'harness_error'; readonly code: string; readonly message: string }
  | { readonly kind: 'orphan_leftover'; readonly what: string; readonly id: string; readonly note: string }
  | { readonly kind: 'close_step'; readonly step: string; readonly ok: boolean; readonly detail: string }
  | { readonly kind: 'wave_ended'; readonly exitCode: number };

interface OfTask {
  readonly task: TaskId;
}

export type TaskEvent =
  | (OfTask & {
      readonly kind: 'task_created';
      readonly issueId: string;
      readonly identifier: string;
      readonly agentId: string;
      readonly askedAtMs: number;
    })
  | (OfTask & {
      readonly kind: 'poll';
      readonly askedAtMs: number;
      readonly answeredAtMs: number;
      readonly outcome: PollOutcome;
      readonly detail: string | null;
    })
  /** The three below are emitted when what is seen differs from the last look. */
  | (OfTask & { readonly kind: 'issue_seen'; readonly issue: IssueView })
  | (OfTask & { readonly kind: 'run_seen'; readonly run: RunView })
  | (OfTask & { readonly kind: 'comment_seen'; readonly comment: CommentView })
  | (OfTask & { readonly kind: 'document_seen'; readonly document: DocumentView })
  | (OfTask & {
      readonly kind: 'follow_up_sent';
      readonly what: 'steer' | 'continue';
      readonly commentId: string | null;
      readonly httpStatus: number | null;
      readonly error: string | null;
    })
  /** The board pressed Stop, once. */
  | (OfTask & {
      readonly kind: 'stop';
      readonly runId: string;
      readonly askedAtMs: number;
      /** Null when no answer came: then it may or may not have happened. */
      readonly accepted: boolean | null;
      readonly httpStatus: number | null;
      readonly error: string | null;
    })
  | (OfTask & { readonly kind: 'retry_offered'; readonly offer: RetryOffer })
  | (OfTask & {
      readonly kind: 'retry_clicked';
      readonly offer: RetryOffer;
      readonly answer: RetryAnswer | null;
      readonly error: string | null;
    })
  | (OfTask & { readonly kind: 'beacon'; readonly beacon: Beacon })
  | (OfTask & { readonly kind: 'process_gone'; readonly process: ProcessIdentity; readonly runId: string | null })
  /** The task's agent asked the scripted model. */
  | (OfTask & { readonly kind: 'model_request'; readonly request: ModelRequest })
  | (OfTask & { readonly kind: 'bench_progress'; readonly value: number; readonly valid: boolean })
  | (OfTask & {
      readonly kind: 'snapshot';
      readonly moment: SnapshotMoment;
      readonly ok: boolean;
      readonly detail: string;
    })
  | (OfTask & { readonly kind: 'rest'; readonly rest: Rest })
  /** A look at the issue's status, two sweeps after its rest. */
  | (OfTask & { readonly kind: 'recheck'; readonly status: string | null; readonly error: string | null })
  | (OfTask & { readonly kind: 'task_unfinished_at_interrupt'; readonly lastStatus: string | null })
  | (OfTask & { readonly kind: 'collected'; readonly what: string; readonly ok: boolean; readonly detail: string });

/** `ok`: every part was read. Anything else is what stood in the way. */
export type PollOutcome = 'ok' | 'refused' | 'timeout' | 'reset' | 'http_error' | 'not_json' | 'unexpected_shape';

/** Moments of an agent's life, in the order in which they come. */
export const beaconMoments = [
  'started',
  'activity',
  'step',
  'command_started',
  'command_ended',
  'before_effect',
  'after_effect',
  'comment_read',
  'outage',
  'ending',
] as const;

/** What an agent tells the harness about itself, at the moment it happens. */
export interface Beacon {
  readonly moment: (typeof beaconMoments)[number];
  readonly runId: string | null;
  readonly process: ProcessIdentity;
  /** Where the agent works. */
  readonly cwd: string;
  /** Effect key, step name, comment id or exit reason, by moment. */
  readonly detail: string;
}

/** Protocols of providers that the scripted model speaks. */
export const wireIds = ['responses', 'messages', 'chat'] as const;
export type WireId = (typeof wireIds)[number];

/** One request to the scripted model, and what it was answered. */
export interface ModelRequest {
  readonly wire: WireId;
  /** 1 for the first request of the task, over all its runs. */
  readonly number: number;
  readonly stream: boolean;
  /** How long the conversation was: texts, calls and results. */
  readonly entries: number;
  /** Equal for equal conversations; null when there was none to read. */
  readonly digest: string | null;
  /** The end of what the last tool call returned. */
  readonly lastResult: string | null;
  /** What it was answered, or would have been. */
  readonly status: number;
  /** What was done wrong to it on purpose; the answer below is then what it would have been. */
  readonly fault: ProviderFaultKind | null;
  /** The call or the words of the answer, or why it was refused. */
  readonly answer: string;
}

/** Why the harness stopped watching a task, and in which state it was. */
export interface Rest {
  /** `plane_lost`: the plane was gone for good, and nobody can say what would have become of the task. */
  readonly reason: 'settled' | 'window' | 'stalled' | 'deadline' | 'wave_deadline' | 'interrupt' | 'plane_lost';
  readonly status: string | null;
  /** Since when that state had held, on the wave's clock. */
  readonly sinceMs: number;
}

/** How edges report what they see. The event log adds number and times. */
export type Emit = (event: EventBody) => void;

/** The wave's monotonic clock, milliseconds since it began. */
export interface Clock {
  nowMs(): number;
}
