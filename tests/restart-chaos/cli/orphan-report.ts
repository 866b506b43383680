/**
 * Says at a start what earlier harnesses left when they died, and ends what their guardians could not: a guardian can
 * be killed, too. Their waves can still be graded.
 */
import { orphanWaves } from '../evidence/find-waves.ts';
import type { Results } from '../evidence/store.ts';
import { killUntilGone } from '../process/kill.ts';
import { processesOfWave } from '../process/table.ts';
import { describeWave } from './waves-command.ts';

// A process that got SIGKILL is gone within milliseconds unless it hangs in the kernel.
const endWithinMs = 5_000;

/** One block for each wave that nobody will end any more. */
export async function reportOrphanWaves(results: Results, say: (line: string) => void): Promise<void> {
  for (const wave of orphanWaves(results)) {
    for (const line of describeWave(wave)) say(line);
    const { ended, stillAlive } = await killUntilGone({
      find: () => processesOfWave(wave.id),
      withinMs: endWithinMs,
    });
    if (ended.length > 0) say(`  ended ${ended.length} processes of it that were still running`);
    for (const { pid } of stillAlive) say(`  process ${pid} of it does not end; look at it by hand`);
  }
}
