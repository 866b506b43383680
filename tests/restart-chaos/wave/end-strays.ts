/** Ends every process that carries a wave's mark, except the database, which has its own way to end. */
import type { ProcessIdentity } from '../model/fault.ts';
import { isAlive, signalProcess } from '../process/identity.ts';
import { processesOfWave, treeBelow } from '../process/table.ts';
import { sleep } from '../process/wait.ts';

export interface StrayReport {
  readonly ended: number;
  readonly alive: readonly ProcessIdentity[];
}

// A process that got SIGKILL is gone within milliseconds unless it hangs in the kernel.
const rounds = 20;
const betweenRoundsMs = 100;

/** Repeats until a sweep finds nothing, because a process may start another while it is being ended. */
export async function endStrays(wave: string, database: ProcessIdentity): Promise<StrayReport> {
  const ended = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const strays = straysOf(wave, database);
    if (strays.length === 0) return { ended: ended.size, alive: [] };
    for (const stray of strays) {
      signalProcess(stray, 'SIGKILL');
      ended.add(`${stray.pid}/${stray.startTime}`);
    }
    await sleep(betweenRoundsMs);
  }
  return { ended: ended.size, alive: straysOf(wave, database).filter(isAlive) };
}

function straysOf(wave: string, database: ProcessIdentity): readonly ProcessIdentity[] {
  const spared = new Set([database.pid, ...treeBelow(database).map(({ pid }) => pid)]);
  return processesOfWave(wave).filter(({ pid }) => !spared.has(pid));
}
