/**
 * Ends every process of a wave except the database, which has its own way to end: whatever carries the wave's mark,
 * and whatever process an agent's beacon came from, in case it emptied its environment.
 */
import type { ProcessIdentity } from '../model/fault.ts';
import { isAlive } from '../process/identity.ts';
import { killUntilGone, type KillReport } from '../process/kill.ts';
import { processesOfWave, treeBelow } from '../process/table.ts';

export interface Strays {
  readonly wave: string;
  readonly database: ProcessIdentity;
  /** Agent processes that were seen, dead or alive. */
  readonly agents: readonly ProcessIdentity[];
}

// A process that got SIGKILL is gone within milliseconds unless it hangs in the kernel.
const withinMs = 5_000;

/** Repeats until a look finds nothing, because a process may start another while it is being ended. */
export async function endStrays({ wave, database, agents }: Strays): Promise<KillReport> {
  const spared = new Set([database.pid, ...treeBelow(database).map(({ pid }) => pid)]);
  const find = (): readonly ProcessIdentity[] =>
    [...processesOfWave(wave), ...agents.filter(isAlive)].filter(({ pid }) => !spared.has(pid));
  return killUntilGone({ find, withinMs });
}
