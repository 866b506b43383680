/** What a fault is made of: a closed set of steps on the plane, as data. The catalogue is faults/. */
import type { BoundaryId } from './boundary.ts';
import type { ProviderFaultKind } from './provider-fault.ts';

/** What a provider does wrong to one task; everything else of the plane is left alone. */
export type ProviderFault =
  'PF1' | 'PF2' | 'PF3' | 'PF4' | 'PF5' | 'PF6' | 'PF7' | 'PF8' | 'PF9' | 'PF10' | 'PF11' | 'PF12';
export type FaultKind = 'K1' | 'K2' | 'K3' | 'K4' | 'K5' | 'K6' | 'DB1' | 'DB2' | 'DB3' | 'DB4' | ProviderFault;
/** `none` is the control arm: the same plan without faults. */
export type FaultChoice = FaultKind | 'none';

export type FaultSignal = 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT';
/** `tree`: the server and every process below it, agents that left its group included. */
export type SignalTarget = 'server' | 'tree' | 'postgres';

export type FaultStep =
  | { readonly step: 'signal'; readonly target: SignalTarget; readonly signal: FaultSignal }
  /** Waits for the exit and reaps it. After `withinMs` SIGKILL is sent, and the record says so. */
  | { readonly step: 'await_exit'; readonly target: 'server' | 'postgres'; readonly withinMs: number }
  | { readonly step: 'hold'; readonly ms: number }
  | { readonly step: 'start'; readonly target: 'server' | 'postgres' }
  /** The process we started answers HTTP, and is not ready yet. */
  | { readonly step: 'await_listening'; readonly withinMs: number }
  | { readonly step: 'await_ready'; readonly withinMs: number }
  /** Sends a commit that is held and keeps the answer from the plane: the `after` side of a crash point. */
  | { readonly step: 'let_commit' }
  /** Cuts the connection of the held commit, and reads in the database what became of its transaction. */
  | { readonly step: 'settle_commit'; readonly side: CommitSide }
  /** Disturbs the plane's connections to its database until `undisturb`. */
  | { readonly step: 'disturb'; readonly disturbance: Disturbance }
  /** Ends the disturbance; the effect must be seen to be gone. */
  | { readonly step: 'undisturb' }
  /** Waits while a disturbance lasts. */
  | { readonly step: 'wait'; readonly ms: number }
  /** A server that ended by itself is started again, which the record says; one that runs is left alone. */
  | { readonly step: 'start_if_ended' }
  /** From now on the model serves the task: `skip` requests well, then `requests` wrongly. Until `mend_provider`. */
  | {
      readonly step: 'disturb_provider';
      readonly fault: ProviderFaultKind;
      readonly skip: number;
      readonly requests: number;
    }
  /** Waits until the model has served the task wrongly once: the strike. */
  | { readonly step: 'await_served'; readonly withinMs: number }
  /** Waits until it has done so as often as it was to, or the time is over. */
  | { readonly step: 'await_spent'; readonly withinMs: number }
  /** The model serves the task well again; whoever was left without an end is cut off. */
  | { readonly step: 'mend_provider' };

/** Which side of a commit a crash strikes: nothing of the transaction is there, or all of it and nobody was told. */
export type CommitSide = 'before' | 'after';

/** What can be done to the connections between the plane and its database. */
export type Disturbance =
  /** Everything takes this much longer, in both directions. */
  | { readonly kind: 'latency'; readonly fixedMs: number; readonly jitterMs: number }
  /** Every connection is cut once; new ones work. */
  | { readonly kind: 'reset' }
  /** Connections stay, no byte passes. */
  | { readonly kind: 'black_hole' }
  /** Every connection is cut and no new one is taken. */
  | { readonly kind: 'refuse' };

/** Parameters of one fault as drawn from the seed; which keys there are is the fault kind's business. */
export type FaultParameters = Readonly<Record<string, number>>;

export type Trigger =
  /** Fires this long after the requesting task's issue was created. */
  | { readonly on: 'time'; readonly offsetMs: number }
  /** Fires at a commit of the requesting task (commit-pattern.ts), at its `occurrence`th, counted from 1. */
  | { readonly on: 'commit'; readonly pattern: string; readonly occurrence: number; readonly side: CommitSide }
  /** Fires at a named moment of the requesting task's life (boundary.ts). */
  | { readonly on: 'boundary'; readonly id: BoundaryId; readonly occurrence: number }
  /** Fires this long after the plane accepted the board's Stop of the requesting task. Workload S1 only. */
  | { readonly on: 'stop'; readonly delayMs: number };

/** A trigger that waits for a moment inside the plane or the agent: whoever comes to it stands still for the fault. */
export type MomentTrigger = Extract<Trigger, { readonly on: 'commit' | 'boundary' }>;

/** What can be asked for by name: a moment, or the Stop, whose delay is drawn. */
export type NamedTrigger = MomentTrigger | { readonly on: 'stop' };

/** Whether somebody stands still when a trigger's time comes. */
export function isMoment(trigger: Trigger): trigger is MomentTrigger {
  return trigger.on === 'commit' || trigger.on === 'boundary';
}

/** One fault of a plan. */
export interface PlannedFault {
  readonly kind: FaultKind;
  readonly trigger: Trigger;
  readonly parameters: FaultParameters;
}

/** Whether a kind of fault strikes the one task that asks for it, and no other. */
export function isProviderFault(kind: FaultKind): kind is ProviderFault {
  return kind.startsWith('PF');
}

/** A process as the kernel knows it: a pid alone can be reused, a pid with its start time cannot. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque, equal for the same process only: clock ticks since boot on Linux, a start date on macOS. */
  readonly startTime: string;
}

/** One string per process, for sets and maps. */
export function identityKey({ pid, startTime }: ProcessIdentity): string {
  return `${pid}@${startTime}`;
}

/**
 * What was seen from outside the plane that shows that a step had its effect. `observed: false` means that it
 * had not, or that it could not be seen; a fault with such a step did not land.
 */
export interface StepProof {
  readonly observed: boolean;
  /** One short sentence for people: `exit SIGKILL of pid 4711`, `port 21034 refuses`. */
  readonly seen: string;
  readonly process?: ProcessIdentity;
  readonly exitSignal?: string | null;
  readonly exitCode?: number | null;
  /** Processes a `tree` signal was sent to. */
  readonly processes?: readonly ProcessIdentity[];
  /** True when SIGKILL had to follow an unanswered SIGTERM. */
  readonly forced?: boolean;
  readonly boot?: number;
  /** `settle_commit`: number of the transaction in the database. */
  readonly transaction?: string;
}
