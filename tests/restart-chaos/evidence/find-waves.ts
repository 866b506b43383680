/**
 * All waves of a results directory and how each ended: for the command `waves`, and to report an orphan at start.
 * Trap: a pid in a file proves nothing by itself; the owner counts as running only with the same start time.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from '../model/fault.ts';
import type { Verdict } from '../model/finding.ts';
import { type WaveId, isWaveId } from '../model/ids.ts';
import { isAlive } from '../process/identity.ts';
import { readJson } from './file.ts';
import { readRecord } from './grades.ts';
import { type Results } from './store.ts';
import { wavePaths } from './wave-paths.ts';

export interface FoundWave {
  readonly id: WaveId;
  readonly directory: string;
  /** `finished`: it has a record. `running`: its owner lives. `died`: neither; `regrade` can still judge it. */
  readonly state: 'finished' | 'running' | 'died' | 'unreadable';
  readonly owner: ProcessIdentity | null;
  readonly verdict: Verdict | null;
  readonly exitCode: number | null;
  readonly tasks: number | null;
  /** What the guardian wrote when it had to end the plane of a dead harness; null when it did not have to. */
  readonly guardian: Readonly<Record<string, unknown>> | null;
  /** Why it is unreadable. */
  readonly problem: string | null;
}

/** Every wave, oldest first; none when there is no results directory yet. */
export function findWaves(results: Results): readonly FoundWave[] {
  let names: string[];
  try {
    names = readdirSync(results.waves);
  } catch {
    return [];
  }
  return names
    .filter(isWaveId)
    .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((id) => findWave(id, join(results.waves, id)));
}

/** Waves that nobody will end any more: their harness died without a record. */
export function orphanWaves(results: Results): readonly FoundWave[] {
  return findWaves(results).filter((wave) => wave.state === 'died');
}

/** One wave, by its id and where it lies. Never throws: what cannot be read is `unreadable`. */
export function findWave(id: WaveId, directory: string): FoundWave {
  const nothing = { id, directory, owner: null, verdict: null, exitCode: null, tasks: null, guardian: null };
  try {
    const paths = wavePaths(directory);
    const owner = readJson<{ schema: number; process: ProcessIdentity | null }>(paths.owner)?.process ?? null;
    const record = readRecord(directory);
    const plan = readJson<{ schema: number; tasks?: readonly unknown[] }>(paths.plan);
    const running = record === null && owner !== null && isAlive(owner);
    return {
      ...nothing,
      state: record !== null ? 'finished' : running ? 'running' : 'died',
      owner,
      verdict: record?.verdict ?? null,
      exitCode: record?.exitCode ?? null,
      tasks: record?.tasks.length ?? plan?.tasks?.length ?? null,
      guardian: readJson<{ schema: number } & Record<string, unknown>>(paths.guardian),
      problem: null,
    };
  } catch (error) {
    return { ...nothing, state: 'unreadable', problem: error instanceof Error ? error.message : String(error) };
  }
}
