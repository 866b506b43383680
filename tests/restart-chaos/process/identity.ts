/**
 * Which process is meant: pid and start time together. Every signal of the harness goes through here, because a pid
 * alone may by now belong to a stranger. Does not wait for an end; that is the parent's business (`child-group.ts`).
 *
 * Trap: between the look at the start time and the signal a process can still end; its pid cannot be given away in
 * those microseconds unless the whole pid range is used up.
 */
import { HarnessError, errorText } from '../model/errors.ts';
import type { ProcessIdentity } from '../model/fault.ts';
import { groupOf, readProcess } from './table.ts';

/** The identity of a running process; null when there is none, or only a zombie is left of it. */
export function identifyProcess(pid: number): ProcessIdentity | null {
  const row = readProcess(pid);
  return row === null || row.zombie ? null : row.identity;
}

/** Whether exactly this process still runs. A zombie counts as dead, and so does a process that got its pid later. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startTime === identity.startTime;
}

/**
 * Sends a signal to this process only. False when it was already gone. Throws HarnessError(`process-not-ended`) when
 * the system refuses the signal, which means that the process belongs to another user.
 */
export function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  return isAlive(identity) && send(identity.pid, signal);
}

/**
 * Sends a signal to the group that this process leads or led, in one system call, so that no member can fork its way
 * out. False when no member was alive. Members that moved to a group of their own are not reached. Throws as above.
 */
export function signalGroup(leader: ProcessIdentity, signal: NodeJS.Signals): boolean {
  return (leadsGroup(leader) || groupOf(leader).length > 0) && send(-leader.pid, signal);
}

/** One read instead of the whole table in the usual case, where the leader lives. */
function leadsGroup(identity: ProcessIdentity): boolean {
  const row = readProcess(identity.pid);
  return row?.identity.startTime === identity.startTime && row.groupId === identity.pid && !row.zombie;
}

function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    const what = target < 0 ? `process group ${-target}` : `process ${target}`;
    throw new HarnessError(
      'process-not-ended',
      `could not send ${signal} to ${what}: ${errorText(error)}; it belongs to another user: look at it with "ps -p ${Math.abs(target)} -o user,args"`,
      { cause: error },
    );
  }
}
