/** One plain line for every fault and every change of state; everything else passes in silence. */
import type { WaveEvent } from '../model/event.ts';
import type { FaultKind, Trigger } from '../model/fault.ts';
import { triggerText } from '../model/trigger-text.ts';
import { clockTime, count, seconds } from './format.ts';
import type { ProgressState, TaskProgress } from './progress-state.ts';
import { retryOutcome, stopOutcome } from './timeline-line.ts';
import { faultTitles } from './words.ts';

/** The line for an event, or null. `state` is the state after it. */
export function progressLine(event: WaveEvent, state: ProgressState): string | null {
  const text = ofTask(event, state) ?? ofPlane(event, state);
  return text === null ? null : ` ${clockTime(event.atMs, 5)}  ${text}`;
}

function ofTask(event: WaveEvent, state: ProgressState): string | null {
  if (!('task' in event)) return null;
  const task = state.tasks[event.task];
  switch (event.kind) {
    case 'task_created':
      return `${event.task} created: ${event.identifier}`;
    case 'issue_seen': {
      const before = task?.statusBefore ?? null;
      return before === null || before === event.issue.status
        ? null
        : `${event.task} ${before} → ${event.issue.status}`;
    }
    case 'follow_up_sent':
      return `${event.task} board comment (${event.what}): ${event.error ?? `answered ${event.httpStatus}`}`;
    case 'stop':
      return `${event.task} Stop: ${stopOutcome(event)}`;
    case 'retry_clicked':
      return `${event.task} Retry clicked: ${retryOutcome(event)}`;
    case 'rest':
      return `${event.task} rests: ${restText(event.rest.status, event.rest.reason, task)}`;
    case 'task_unfinished_at_interrupt':
      return `${event.task} unfinished: ${event.lastStatus ?? 'status unknown'}`;
    default:
      return null;
  }
}

function restText(status: string | null, reason: string, task: TaskProgress | undefined): string {
  const why = reason === 'settled' || reason === 'window' ? '' : ` (${reason.replaceAll('_', ' ')})`;
  const retry = status === 'done' || task === undefined || task.retry !== 'none' ? '' : ', no Retry offered';
  return `${status ?? 'status unknown'}${why}${retry}`;
}

function ofPlane(event: WaveEvent, state: ProgressState): string | null {
  switch (event.kind) {
    case 'boot_ready': {
      const isPartOfFault = state.fault !== null && !state.fault.ended;
      return isPartOfFault ? null : `plane ready (boot ${event.boot}, ${seconds(event.sinceStartMs)})`;
    }
    case 'fault_started':
      return longFaults.includes(event.fault)
        ? `${faultName(event.fault, event.trigger)} for ${event.requestedBy} begins`
        : null;
    case 'fault_skipped':
      return `${event.fault} for ${event.requestedBy} skipped: ${event.reason}`;
    case 'fault_ended':
      return faultText(event, state);
    case 'commit_held':
      return `${event.requestedBy} is held ${event.side} a commit: ${event.pattern}`;
    case 'tap_protocol_error':
      return `tap: the ${event.side} of connection ${event.connection} does not speak the protocol: ${event.reason}`;
    case 'tape_closed':
      return `tape closed: ${count(event.counts.writes, 'write transaction')}, ${count(event.counts.reads, 'read')}, ${count(event.counts.connections, 'connection')}`;
    case 'server_exit_unexpected':
      return `server ${event.process.pid} exited unasked: ${event.signal ?? `code ${event.code}`}`;
    case 'plane_recovery':
      return `plane ${event.ok ? 'recovered' : 'NOT recovered'} after ${seconds(event.durationMs)}: ${event.reason}`;
    case 'company_read_back':
      return event.ok ? null : `data could not be read back: ${event.detail}`;
    case 'interrupt':
      return event.count === 1
        ? `${event.signal}: no new tasks, collecting and closing; once more ends at once`
        : `${event.signal} again: closing at once`;
    case 'wave_deadline':
      return `the wave’s deadline of ${clockTime(event.deadlineMs)} is reached; everything open ends here`;
    case 'harness_error':
      return `HARNESS ERROR ${event.code}: ${event.message}`;
    case 'close_step':
      return event.ok ? null : `could not close ${event.step}: ${event.detail}`;
    default:
      return null;
  }
}

/** The other faults are over within seconds, and their one line comes then. */
const longFaults: readonly FaultKind[] = ['K4', 'DB1', 'DB3', 'DB4', 'PF10', 'PF11'];

/** A drawn time says nothing that the line's own time does not. */
function faultName(kind: FaultKind, trigger: Trigger): string {
  return `${kind} ${faultTitles[kind]}${trigger.on === 'time' ? '' : ` ${triggerText(trigger)}`}`;
}

function faultText(event: Extract<WaveEvent, { kind: 'fault_ended' }>, state: ProgressState): string {
  const { fault } = state;
  if (fault === null) return `${event.ref} ended`;
  const name = `${faultName(fault.kind, fault.trigger)} for ${fault.requestedBy}: ${fault.seen.join(' → ')}`;
  if (!event.landed) return `${name}. DID NOT LAND: ${event.reason ?? 'no reason given'}`;
  const ready =
    event.readyAtMs === null || event.struckAtMs === null
      ? 'not ready again'
      : `ready again after ${seconds(event.readyAtMs - event.struckAtMs)} (boot ${state.boot})`;
  const open = fault.openTasks.length === 0 ? 'Nothing was open' : `Crossed: ${fault.openTasks.join(' ')}`;
  return `${name} → ${ready}. ${open}`;
}
