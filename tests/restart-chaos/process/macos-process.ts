/**
 * Reads the process table of macOS from `ps`. NOT PROVEN: written after the manual page of macOS `ps`; only the
 * parsing is tested, the command has not been run on a Mac here.
 *
 * Trap: `lstart` has a resolution of one second, so that a pid reused within the same second would be taken for
 * the same process. macOS hands out pids in rising order, which makes this practically impossible.
 */
import { execFileSync } from 'node:child_process';
import type { ProcessRow } from './table.ts';

const columns = ['-o', 'pid=,ppid=,pgid=,stat=,lstart='];
// The table with environments of a busy machine is some megabytes; execFileSync's own limit is one.
const outputBytesMax = 64 * 1024 * 1024;

/** The row of one process, zombies included; null when there is none. */
export function readMacosRow(pid: number): ProcessRow | null {
  return parsePsRows(runPs([...columns, '-p', String(pid)]))[0] ?? null;
}

/** Every process, zombies included. */
export function listMacosRows(): readonly ProcessRow[] {
  return parsePsRows(runPs(['-ax', ...columns]));
}

/** Pids of the processes of this user whose environment, as `ps -E` shows it, has this entry (`NAME=value`). */
export function macosPidsWithEnvironment(entry: string): readonly number[] {
  return parsePsEnvironment(runPs(['-axwwE', '-o', 'pid=,command=']), entry);
}

/** Reads lines such as ` 4711     1  4711 Ss   Mon Nov 30 17:04:15 2026`; other lines are left out. */
export function parsePsRows(output: string): readonly ProcessRow[] {
  return output.split('\n').flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/.exec(line);
    if (found === null) return [];
    const [, pid, parentPid, groupId, state = '', startTime = ''] = found;
    const identity = { pid: Number(pid), startTime: startTime.replaceAll(/\s+/g, ' ') };
    return [{ identity, parentPid: Number(parentPid), groupId: Number(groupId), zombie: state.startsWith('Z') }];
  });
}

/** Reads lines of pid, command and environment, all separated by blanks. */
export function parsePsEnvironment(output: string, entry: string): readonly number[] {
  return output
    .split('\n')
    .filter((line) => line.split(/\s+/).includes(entry))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => Number.isInteger(pid));
}

function runPs(args: readonly string[]): string {
  // The date of lstart is written in the reader's language and zone; both sides of a comparison must agree.
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  try {
    return execFileSync('ps', args, {
      encoding: 'latin1',
      maxBuffer: outputBytesMax,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    // `ps -p` ends with 1 when the process is gone: an answer, not a failure.
    if ((error as { status?: number | null }).status === 1) return '';
    throw error;
  }
}
