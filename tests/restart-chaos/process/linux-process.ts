/**
 * Reads the process table of Linux from /proc. Synchronous on purpose: a row is only worth something at the moment
 * it is read, and the whole table takes a few milliseconds. Decides nothing about signals.
 *
 * Trap: the second field of `stat` is the program's name in parentheses, and the name may itself contain spaces and
 * parentheses; everything is therefore counted from the last ')'.
 */
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import type { ProcessRow } from './table.ts';

/** The row of one process, zombies included; null when there is none or it went away while it was read. */
export function readLinuxRow(pid: number): ProcessRow | null {
  const stat = readProcFile(pid, 'stat');
  return stat === null ? null : parseStat(pid, stat);
}

/** Every process that /proc shows, zombies included. */
export function listLinuxRows(): readonly ProcessRow[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readLinuxRow(Number(name)))
    .filter((row) => row !== null);
}

/**
 * Whether the environment the process was started with has exactly this entry (`NAME=value`). False when the
 * environment cannot be read: another user's process, a zombie, or a program that overwrote it (Postgres does).
 */
export function linuxEnvironmentHas(pid: number, entry: string): boolean {
  return readProcFile(pid, 'environ')?.split('\0').includes(entry) ?? false;
}

/** Where a process works; null when it is gone or not ours to look into. */
export function linuxWorkingDirectory(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

/** Exported for the test: a name with parentheses cannot be produced on every file system. */
export function parseStat(pid: number, stat: string): ProcessRow | null {
  // After the last ')': state is field 3, parent 4, group 5, start time 22 (proc_pid_stat(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parentPid, groupId] = fields;
  const startTime = fields[19];
  if (state === undefined || parentPid === undefined || groupId === undefined || startTime === undefined) return null;
  return {
    identity: { pid, startTime },
    parentPid: Number(parentPid),
    groupId: Number(groupId),
    zombie: state === 'Z' || state === 'X',
  };
}

function readProcFile(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    // Gone since it was listed, or not ours to read: for the caller both mean "not there".
    return null;
  }
}
