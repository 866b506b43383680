/**
 * The processes of this machine, and three ways to find ours among them: by parent, by group, by the wave's marker.
 * Each answers for the moment it is asked; nothing is remembered. Ending what was found is `kill.ts`.
 *
 * Trap: a process whose parent died is re-parented to init, so that no walk over parents finds it. Agents of the
 * plane do that at each crash; only the marker in their environment still says whose they are.
 */
import { realpathSync } from 'node:fs';
import type { ProcessIdentity } from '../model/fault.ts';
import { linuxEnvironmentHas, linuxWorkingDirectory, listLinuxRows, readLinuxRow } from './linux-process.ts';
import { listMacosRows, macosPidsWithEnvironment, readMacosRow } from './macos-process.ts';

/** One process as the kernel shows it. */
export interface ProcessRow {
  readonly identity: ProcessIdentity;
  readonly parentPid: number;
  readonly groupId: number;
  /** Ended, and its parent has not asked for the exit yet. */
  readonly zombie: boolean;
}

/** Environment variable that every process of a wave carries; its value is the wave's id. */
export const waveMarkerName = 'RESTART_CHAOS_WAVE';

const onMacos = process.platform === 'darwin';

/** The row of one pid, zombies included; null when there is no such process. */
export function readProcess(pid: number): ProcessRow | null {
  return onMacos ? readMacosRow(pid) : readLinuxRow(pid);
}

/** Every process that this user can see, zombies included. */
export function listProcesses(): readonly ProcessRow[] {
  return onMacos ? listMacosRows() : listLinuxRows();
}

/** The living descendants of a process by parent pid, the process itself excluded; empty when it is gone. */
export function treeBelow(
  root: ProcessIdentity,
  rows: readonly ProcessRow[] = listProcesses(),
): readonly ProcessIdentity[] {
  const rootIsThere = rows.some((row) => row.identity.pid === root.pid && row.identity.startTime === root.startTime);
  if (!rootIsThere) return [];
  const found: ProcessIdentity[] = [];
  const parents = new Set([root.pid]);
  // Rows are in no useful order, so that each pass adds one generation.
  for (let grew = true; grew;) {
    grew = false;
    for (const row of rows) {
      if (!parents.has(row.parentPid) || parents.has(row.identity.pid)) continue;
      parents.add(row.identity.pid);
      if (!row.zombie) found.push(row.identity);
      grew = true;
    }
  }
  return found;
}

/**
 * The living members of the group that this process leads or led. A group outlives its leader, and the kernel gives
 * the number to nobody else as long as a member lives; when the number now belongs to another process, the group is
 * gone and the answer is empty.
 */
export function groupOf(
  leader: ProcessIdentity,
  rows: readonly ProcessRow[] = listProcesses(),
): readonly ProcessIdentity[] {
  const holder = rows.find((row) => row.identity.pid === leader.pid);
  if (holder !== undefined && holder.identity.startTime !== leader.startTime) return [];
  return rows.filter((row) => row.groupId === leader.pid && !row.zombie).map((row) => row.identity);
}

/** The living processes that carry the marker of this wave, wherever they hang; this process is never among them. */
export function processesOfWave(
  wave: string,
  rows: readonly ProcessRow[] = listProcesses(),
): readonly ProcessIdentity[] {
  return processesWithEnvironment(waveMarkerName, wave, rows);
}

/** The living processes that were started with this environment entry, this process excluded. */
export function processesWithEnvironment(
  name: string,
  value: string,
  rows: readonly ProcessRow[] = listProcesses(),
): readonly ProcessIdentity[] {
  const entry = `${name}=${value}`;
  const living = rows.filter((row) => !row.zombie && row.identity.pid !== process.pid);
  const marked = onMacos ? new Set(macosPidsWithEnvironment(entry)) : null;
  return living
    .filter(({ identity: { pid } }) => (marked === null ? linuxEnvironmentHas(pid, entry) : marked.has(pid)))
    .map((row) => row.identity);
}

/**
 * The living processes that work in this directory and were not started by another one of them: of a Postgres and all
 * its backends the postmaster. Null where working directories cannot be read (macOS).
 */
export function rootsWorkingIn(
  directory: string,
  rows: readonly ProcessRow[] = listProcesses(),
): readonly ProcessIdentity[] | null {
  if (onMacos) return null;
  const path = realpathSync(directory);
  const here = rows.filter((row) => !row.zombie && linuxWorkingDirectory(row.identity.pid) === path);
  const pids = new Set(here.map(({ identity }) => identity.pid));
  return here.filter(({ parentPid }) => !pids.has(parentPid)).map(({ identity }) => identity);
}
