/**
 * Whether the fault of one crash point struck at the commit that was asked for: the commit that was held is the recorded
 * one, on the side of the point, and what the database said of its transaction proves that it was this one.
 */
import type { WaveEvent } from '../../model/event.ts';
import type { CrashPoint, LifeCommit, OutcomeReason, PointOutcome } from '../../model/exploration.ts';
import type { CommitSide, Trigger } from '../../model/fault.ts';
import type { TaskId } from '../../model/ids.ts';
import type { WaveRecord } from '../../model/record.ts';

export interface StrikeToProve {
  readonly point: CrashPoint;
  /** The recorded commit of the point. */
  readonly commit: LifeCommit;
  readonly task: TaskId;
  readonly record: WaveRecord;
  readonly events: readonly WaveEvent[];
}

export type Because = NonNullable<PointOutcome['because']>;
type EventOf<Kind extends WaveEvent['kind']> = Extract<WaveEvent, { readonly kind: Kind }>;

/** A fault that struck at its commit. Times are on the wave's clock. */
export interface ProvenStrike {
  readonly fault: WaveRecord['faults'][number];
  readonly held: EventOf<'commit_held'>;
  /** The first signal was sent. */
  readonly struckAtMs: number;
  /** What became of the transaction was read: the server is gone, and the next one is not started. */
  readonly settledAtMs: number;
  /** The wait for the plane that ended without it; null when the plane came back. */
  readonly notBack: EventOf<'fault_step'> | null;
}

/** The strike, or why there is none that is proven. */
export function proveStrike(
  about: StrikeToProve,
): { readonly kind: 'struck'; readonly strike: ProvenStrike } | ({ readonly kind: 'unproven' } & Because) {
  const { task, record, events } = about;
  const own = record.faults.filter(({ requestedBy }) => requestedBy === task);
  const [fault] = own;
  if (fault === undefined) return neverBegun(about);
  if (own.length > 1) return unproven('not_landed', `${own.length} faults were begun for it`);
  const held = heldCommit(about, fault.trigger);
  if (typeof held === 'string') return unproven('not_landed', held);
  const steps = stepsOf(events, fault.ref);
  const settled = steps.find(({ step, proof }) => step.step === 'settle_commit' && proof.observed);
  const signal = steps.find(({ step, proof }) => step.step === 'signal' && proof.observed);
  const notBack = steps.find((step) => isPlaneNotBack(step, events)) ?? null;
  if (!fault.landed && (settled === undefined || notBack === null)) {
    return unproven('not_landed', fault.reason ?? 'no reason was recorded');
  }
  if (settled === undefined || signal === undefined) {
    return unproven('not_landed', 'what became of the transaction of its commit was not seen');
  }
  const { transaction } = settled.proof;
  if (held.transaction === '' || transaction !== held.transaction) {
    const seen = transaction ?? 'none';
    return unproven(
      'not_landed',
      `transaction ${held.transaction || 'none'} was held, and that of ${seen} was settled`,
    );
  }
  const struckAtMs = signal.endedAtMs;
  return { kind: 'struck', strike: { fault, held, struckAtMs, settledAtMs: settled.endedAtMs, notBack } };
}

function neverBegun({ task, record, events }: StrikeToProve): ReturnType<typeof proveStrike> {
  const skipped = events.find(
    (event): event is EventOf<'fault_skipped'> => event.kind === 'fault_skipped' && event.requestedBy === task,
  );
  if (skipped !== undefined) return unproven('never_met', skipped.reason);
  return unproven('wave_failed', record.because[0] ?? 'its fault was neither begun nor left out');
}

/** The one commit that was held for the task, when it, the plan and the fault all name the recorded one; else why not. */
function heldCommit(
  { point, commit, task, record, events }: StrikeToProve,
  struck: Trigger,
): EventOf<'commit_held'> | string {
  const all = events.filter(
    (event): event is EventOf<'commit_held'> => event.kind === 'commit_held' && event.requestedBy === task,
  );
  const [held] = all;
  if (held === undefined || all.length > 1) return `its commit was held ${all.length} times`;
  const planned = record.tasks.find(({ plan }) => plan.id === task)?.plan.faults[0]?.trigger;
  const isAsked = (named: NamedCommit | null): boolean =>
    named?.pattern === commit.pattern && named.occurrence === commit.occurrence && named.side === point.side;
  const areAsked = [namedBy(planned), namedBy(struck), held].every(isAsked);
  return areAsked ? held : 'the fault struck at another commit than was asked for';
}

interface NamedCommit {
  readonly pattern: string;
  readonly occurrence: number;
  readonly side: CommitSide;
}

function namedBy(trigger: Trigger | undefined): NamedCommit | null {
  return trigger?.on === 'commit' ? trigger : null;
}

function stepsOf(events: readonly WaveEvent[], ref: string): readonly EventOf<'fault_step'>[] {
  return events.filter((event): event is EventOf<'fault_step'> => event.kind === 'fault_step' && event.ref === ref);
}

/**
 * A server that ended while it booted, or was not ready in time. One that was ready too early to be struck in its
 * recovery is back; one that could not even be started, our own failure.
 */
function isPlaneNotBack(
  { step, proof, startedAtMs, endedAtMs }: EventOf<'fault_step'>,
  events: readonly WaveEvent[],
): boolean {
  if (proof.observed || (step.step !== 'await_ready' && step.step !== 'await_listening')) return false;
  return !events.some(({ kind, atMs }) => kind === 'boot_ready' && atMs >= startedAtMs && atMs <= endedAtMs);
}

function unproven(reason: OutcomeReason, detail: string): { readonly kind: 'unproven' } & Because {
  return { kind: 'unproven', reason, detail };
}
