/** Which wave a harness runs: for whoever started the harness and wants to find what it left. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { identityKey, type ProcessIdentity } from '../model/fault.ts';
import { isWaveId, type WaveId } from '../model/ids.ts';
import { readJson } from './file.ts';
import type { Results } from './store.ts';
import { wavePaths } from './wave-paths.ts';

/** The wave that a process owns or owned; null when it has made none, or not yet. */
export function waveOfProcess(results: Results, owner: ProcessIdentity): WaveId | null {
  const key = identityKey(owner);
  for (const id of wavesNewestFirst(results)) {
    const stored = readJson<StoredOwner>(wavePaths(join(results.waves, id)).owner)?.process ?? null;
    if (stored !== null && identityKey(stored) === key) return id;
  }
  return null;
}

interface StoredOwner {
  readonly schema: number;
  readonly process: ProcessIdentity | null;
}

function wavesNewestFirst(results: Results): readonly WaveId[] {
  try {
    // Names begin with the time, so that the one looked for is among the first.
    return readdirSync(results.waves).filter(isWaveId).toSorted().toReversed();
  } catch {
    return [];
  }
}
