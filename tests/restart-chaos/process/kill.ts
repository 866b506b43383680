/**
 * Kills a changing set of processes until a look finds none of them. Used where a single shot is not enough: a process
 * may fork between the look and the signal. Kills only what `find` names, each by pid and start time.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { identityKey, type ProcessIdentity } from '../model/fault.ts';
import { isAlive, signalProcess } from './identity.ts';

/** What a sweep did. */
export interface KillReport {
  /** Everything that got a SIGKILL and is gone. */
  readonly ended: readonly ProcessIdentity[];
  /** What the last look still found. */
  readonly stillAlive: readonly ProcessIdentity[];
}

// A killed process leaves the table within a few milliseconds; a busy machine with two cores was seen to need 30.
const sweepIntervalMs = 20;

/**
 * Sends SIGKILL to whatever `find` names, again and again, until two looks in a row name nothing or `withinMs` is over.
 * Two, because a process that is just loading another program shows no environment for a moment. Rejects only when `find` throws.
 */
export async function killUntilGone(options: {
  readonly find: () => readonly ProcessIdentity[];
  readonly withinMs: number;
}): Promise<KillReport> {
  const struck = new Map<string, ProcessIdentity>();
  const endsAtMs = performance.now() + options.withinMs;
  let found: readonly ProcessIdentity[] = [];
  let emptyLooks = 0;
  while (emptyLooks < 2 && performance.now() < endsAtMs) {
    found = options.find();
    for (const identity of found) if (killQuietly(identity)) struck.set(identityKey(identity), identity);
    emptyLooks = found.length === 0 ? emptyLooks + 1 : 0;
    if (emptyLooks < 2) await delay(sweepIntervalMs);
  }
  // The last look was followed by a kill: what is gone by now has ended all the same.
  const stillAlive = found.filter(isAlive);
  for (const identity of stillAlive) struck.delete(identityKey(identity));
  return { ended: [...struck.values()], stillAlive };
}

/** The same processes, each once. */
export function distinct(identities: readonly ProcessIdentity[]): readonly ProcessIdentity[] {
  return [...new Map(identities.map((identity) => [identityKey(identity), identity])).values()];
}

function killQuietly(identity: ProcessIdentity): boolean {
  try {
    return signalProcess(identity, 'SIGKILL');
  } catch {
    // A refused signal must not keep the others alive; the process stays in `find` and is reported as still alive.
    return false;
  }
}
