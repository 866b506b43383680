/**
 * Which process is meant: its id and the moment it started, because an id alone may by now be a stranger's. A zombie
 * is dead here everywhere: nobody has to reap it before a run can end.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; as the system tells it. */
  readonly startMark: string;
}

interface ProcessRow extends ProcessIdentity {
  readonly groupId: number;
  readonly isZombie: boolean;
}

/** Null when there is no such process, or only a zombie of it. */
export function identify(pid: number): ProcessIdentity | null {
  const row = process.platform === 'linux' ? linuxRow(pid) : (listedRows(['-p', String(pid)])[0] ?? null);
  return row === null || row.isZombie ? null : { pid, startMark: row.startMark };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startMark === identity.startMark;
}

/**
 * Asks the whole group of this leader to end, waits at most so long, and ends it. Returns when no member is left. Does
 * nothing when the group is not the leader's any more.
 */
export async function endGroup(leader: ProcessIdentity, graceMs: number): Promise<void> {
  const untilMs = Date.now() + graceMs;
  signalGroup(leader, 'SIGTERM');
  while (members(leader).length > 0) {
    if (Date.now() >= untilMs) signalGroup(leader, 'SIGKILL');
    await sleep(20);
  }
}

function signalGroup(leader: ProcessIdentity, signal: NodeJS.Signals): void {
  if (members(leader).length === 0) return;
  try {
    process.kill(-leader.pid, signal);
  } catch {
    // The last member ended in between.
  }
}

/** A group outlives its leader; no other process gets the leader's id while the group has members. */
function members(leader: ProcessIdentity): readonly ProcessRow[] {
  const now = identify(leader.pid);
  if (now !== null && now.startMark !== leader.startMark) return [];
  return allRows().filter((row) => row.groupId === leader.pid && !row.isZombie);
}

function allRows(): readonly ProcessRow[] {
  if (process.platform !== 'linux') return listedRows(['-ax']);
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (linuxRow(Number(name)) ?? []) : []));
}

function linuxRow(pid: number): ProcessRow | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return null;
  }
  // The name stands in parentheses and may hold any character; after it state is field 3, group 5, start time 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    pid,
    startMark: fields[19] ?? '',
    groupId: Number(fields[2]),
    isZombie: fields[0] === 'Z' || fields[0] === 'X',
  };
}

function listedRows(which: readonly string[]): readonly ProcessRow[] {
  let text: string;
  try {
    text = execFileSync('ps', [...which, '-o', 'pid=,pgid=,stat=,lstart='], { encoding: 'utf8' });
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    const [, pid, groupId, state, startMark] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? [];
    if (pid === undefined || startMark === undefined) return [];
    return [{ pid: Number(pid), groupId: Number(groupId), startMark, isZombie: state?.startsWith('Z') === true }];
  });
}
