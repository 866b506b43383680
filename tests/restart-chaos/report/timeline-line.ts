/** Events in the words of a timeline: `20.703  K1: SIGKILL sent to pid 4711   fault`. */
import type { WaveEvent } from '../model/event.ts';
import type { Trigger } from '../model/fault.ts';
import type { FaultRef, TaskId } from '../model/ids.ts';
import { triggerText } from '../model/trigger-text.ts';
import { count, stamp } from './format.ts';

interface Described {
  readonly text: string;
  /** Where it was seen. */
  readonly source: string;
}

/** One line for people; null for an event that tells a person nothing. */
function timelineLine(event: WaveEvent): string | null {
  const described = describe(event);
  return described === null
    ? null
    : `${stamp(event.atMs).padStart(9)}  ${described.text.padEnd(56)}  ${described.source}`;
}

/**
 * Three lines around a moment: the last one before it and the two from it on, of this task and of the plane. Before them,
 * where they do not show it, how the fault of this name struck; dots stand for what is left out between.
 */
export function timelineAround(
  events: readonly WaveEvent[],
  task: TaskId,
  { atMs, fault }: { readonly atMs: number; readonly fault: FaultRef | null },
): readonly string[] {
  const told = events
    .filter((event) => !('task' in event) || event.task === task)
    .flatMap((event) => {
      const line = timelineLine(event);
      return line === null ? [] : [{ event, line }];
    });
  const found = told.findIndex(({ event }) => event.atMs >= atMs);
  const at = found === -1 ? told.length - 1 : found;
  const first = Math.max(0, Math.min(at - 1, told.length - 3));
  const around = Array.from({ length: Math.min(3, told.length) }, (_, index) => first + index);
  const strike = told.findIndex(({ event }) => event.kind === 'fault_step' && event.ref === fault);
  const shown = strike === -1 || around.includes(strike) ? around : [...around, strike].toSorted((a, b) => a - b);
  return shown.flatMap((each, index) => {
    const before = shown[index - 1];
    const gap = before !== undefined && each > before + 1 ? [`${' '.repeat(8)}…`] : [];
    return [...gap, told[each]?.line ?? ''];
  });
}

function describe(event: WaveEvent): Described | null {
  return describeOfPlane(event) ?? describeOfTask(event);
}

function describeOfPlane(event: WaveEvent): Described | null {
  switch (event.kind) {
    case 'boot_started':
      return { text: `server ${event.process.pid} started, boot ${event.boot}`, source: 'process' };
    case 'boot_ready':
      return { text: `plane ready, boot ${event.boot}`, source: 'board' };
    case 'server_exit_unexpected':
      return {
        text: `server ${event.process.pid} exited unasked (${event.signal ?? `code ${event.code}`})`,
        source: 'process',
      };
    case 'plane_recovery':
      return {
        text: `plane started again by the harness: ${event.ok ? 'ready' : 'not ready'} (${event.reason})`,
        source: 'harness',
      };
    case 'fault_step':
      return tellsOfStep(event) ? { text: `${event.ref}: ${event.proof.seen}`, source: 'fault' } : null;
    case 'fault_started':
      return { text: `${event.ref}: ${event.fault} begins${momentText(event.trigger)}`, source: 'fault' };
    case 'fault_ended':
      return {
        text: `${event.ref} ended: ${event.landed ? 'landed' : `did not land (${event.reason ?? 'no reason'})`}`,
        source: 'fault',
      };
    case 'commit_held':
      return { text: `held ${event.side} a commit of ${event.requestedBy}: ${event.pattern}`, source: 'tap' };
    case 'tap_protocol_error':
      return { text: `connection ${event.connection}, ${event.side}: no protocol (${event.reason})`, source: 'tap' };
    case 'tape_closed':
      return { text: `tape closed after ${count(event.counts.writes, 'write transaction')}`, source: 'tap' };
    case 'interrupt':
      return { text: `${event.signal} to the harness`, source: 'harness' };
    default:
      return null;
  }
}

/** Of a fault that waited for a moment; when a drawn time came, the line says itself. */
function momentText(trigger: Trigger): string {
  return trigger.on === 'time' ? '' : `, ${triggerText(trigger)}`;
}

/** What was done to the plane, and what it did by itself; the rest is waiting. */
function tellsOfStep({ step, proof }: Extract<WaveEvent, { kind: 'fault_step' }>): boolean {
  switch (step.step) {
    case 'signal':
    case 'let_commit':
    case 'settle_commit':
    case 'disturb':
    case 'undisturb':
    case 'await_served':
    case 'mend_provider':
      return true;
    case 'start_if_ended':
      // With an exit only when the server had ended by itself.
      return proof.exitCode !== undefined;
    default:
      return false;
  }
}

function describeOfTask(event: WaveEvent): Described | null {
  switch (event.kind) {
    case 'task_created':
      return { text: `issue ${event.identifier} created`, source: 'board' };
    case 'issue_seen':
      return { text: `issue ${event.issue.identifier} is ${event.issue.status}`, source: 'board' };
    case 'run_seen':
      return {
        text: `run ${short(event.run.id)} is ${event.run.status}${event.run.errorCode === null ? '' : `/${event.run.errorCode}`}`,
        source: 'board',
      };
    case 'beacon':
      return event.beacon.moment === 'started' || event.beacon.moment === 'ending'
        ? {
            text: `agent process ${event.beacon.process.pid} ${event.beacon.moment} (${event.beacon.detail})`,
            source: 'beacon',
          }
        : null;
    case 'process_gone':
      return { text: `agent process ${event.process.pid} gone`, source: 'process' };
    case 'follow_up_sent':
      return {
        text: `board comment (${event.what}): ${event.error ?? `answered ${event.httpStatus}`}`,
        source: 'board',
      };
    case 'stop':
      return { text: `Stop of run ${short(event.runId)}: ${stopOutcome(event)}`, source: 'board' };
    case 'retry_offered':
      return { text: `Retry offered (${event.offer.place}) for run ${short(event.offer.runId)}`, source: 'board' };
    case 'retry_clicked':
      return { text: `Retry clicked: ${retryOutcome(event)}`, source: 'board' };
    case 'rest':
      return {
        text: `rests: ${event.rest.status ?? 'status unknown'} since ${stamp(event.rest.sinceMs)} (${event.rest.reason})`,
        source: 'observer',
      };
    case 'task_unfinished_at_interrupt':
      return { text: `unfinished at the interrupt: ${event.lastStatus ?? 'status unknown'}`, source: 'observer' };
    default:
      return null;
  }
}

/** The plane's answer to a click, in three words. */
export function retryOutcome(event: Extract<WaveEvent, { kind: 'retry_clicked' }>): string {
  if (event.answer === null) return event.error ?? 'no answer';
  return event.answer.accepted ? 'accepted' : `refused (${event.answer.reason ?? event.answer.httpStatus})`;
}

/** The plane's answer to Stop, in three words. */
export function stopOutcome(event: Extract<WaveEvent, { kind: 'stop' }>): string {
  if (event.accepted === true) return 'accepted';
  return event.accepted === null ? `no answer (${event.error ?? 'no reason'})` : `refused (${event.httpStatus})`;
}

function short(id: string): string {
  return id.length > 12 ? id.slice(0, 8) : id;
}
