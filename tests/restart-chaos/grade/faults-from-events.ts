/**
 * Folds the fault events of a wave into one record per fault. A fault landed only when the wave said so AND every
 * step of it carries an observed proof: the log has to show it, not to claim it. A wave that died in the middle of a
 * fault leaves a record without an end.
 */
import type { WaveEvent } from '../model/event.ts';
import type { FaultRecord } from '../model/facts.ts';
import type { WaveRecord } from '../model/record.ts';
import type { EventOf } from './timeline.ts';

/** Every fault that started, in the order of their starts. */
export function faultsFromEvents(events: readonly WaveEvent[]): readonly FaultRecord[] {
  return startsOf(events).map((start) => recordOf(start, stepsOf(events, start.ref), endOf(events, start.ref)));
}

/** The same with what a reader of wave.json wants beside it: fault to ready, and the proofs in words. */
export function provenFaults(events: readonly WaveEvent[]): WaveRecord['faults'] {
  return faultsFromEvents(events).map((fault) => ({
    ...fault,
    readyMs: fault.struckAtMs === null || fault.readyAtMs === null ? null : fault.readyAtMs - fault.struckAtMs,
    proof: stepsOf(events, fault.ref).map(({ step, proof }) => `${step.step}: ${proof.seen}`),
  }));
}

function recordOf(
  start: EventOf<'fault_started'>,
  steps: readonly EventOf<'fault_step'>[],
  end: EventOf<'fault_ended'> | undefined,
): FaultRecord {
  const unproven = steps.find((step) => !step.proof.observed);
  const landed = end !== undefined && end.landed && steps.length > 0 && unproven === undefined;
  return {
    ref: start.ref,
    kind: start.fault,
    trigger: start.trigger,
    requestedBy: start.requestedBy,
    startedAtMs: start.atMs,
    struckAtMs: end?.struckAtMs ?? firstStrikeMs(steps),
    readyAtMs: end === undefined ? lastReadyMs(steps) : end.readyAtMs,
    endedAtMs: end?.atMs ?? null,
    landed,
    reason: landed ? null : reasonOf(steps, unproven, end),
  };
}

function reasonOf(
  steps: readonly EventOf<'fault_step'>[],
  unproven: EventOf<'fault_step'> | undefined,
  end: EventOf<'fault_ended'> | undefined,
): string {
  if (end === undefined) return 'the wave ended while this fault was in progress';
  if (end.reason !== null) return end.reason;
  if (unproven !== undefined) return `step ${unproven.index + 1} (${unproven.step.step}): ${unproven.proof.seen}`;
  return steps.length === 0 ? 'no step of it is in the log' : 'it was not seen to land';
}

/** A signal strikes when it was sent, a provider when it has served; a disturbance at once, and its step lasts until that was looked at. */
function firstStrikeMs(steps: readonly EventOf<'fault_step'>[]): number | null {
  const first = steps.find(({ step, proof }) => strikes.includes(step.step) && proof.observed);
  if (first === undefined) return null;
  return first.step.step === 'disturb' ? first.startedAtMs : first.endedAtMs;
}

const strikes: readonly string[] = ['signal', 'disturb', 'await_served'];

function lastReadyMs(steps: readonly EventOf<'fault_step'>[]): number | null {
  return steps.findLast(({ step, proof }) => step.step === 'await_ready' && proof.observed)?.endedAtMs ?? null;
}

function startsOf(events: readonly WaveEvent[]): readonly EventOf<'fault_started'>[] {
  return events
    .filter((event): event is EventOf<'fault_started'> => event.kind === 'fault_started')
    .sort((left, right) => left.atMs - right.atMs || left.seq - right.seq);
}

function stepsOf(events: readonly WaveEvent[], ref: string): readonly EventOf<'fault_step'>[] {
  return events
    .filter((event): event is EventOf<'fault_step'> => event.kind === 'fault_step' && event.ref === ref)
    .sort((left, right) => left.index - right.index);
}

function endOf(events: readonly WaveEvent[], ref: string): EventOf<'fault_ended'> | undefined {
  return events.find((event): event is EventOf<'fault_ended'> => event.kind === 'fault_ended' && event.ref === ref);
}
