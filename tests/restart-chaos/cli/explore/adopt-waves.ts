/**
 * Waves that an earlier session began and did not see end, because it was killed: they are ended, and what they proved is
 * kept.
 */
import { waveOfProcess } from '../../evidence/wave-of-process.ts';
import type { DealtWave } from '../../model/exploration.ts';
import { isAlive, signalProcess } from '../../process/identity.ts';
import { waitUntil } from '../../process/wait.ts';
import { collectPoints } from './collect-wave.ts';
import type { ExploreContext } from './explore-context.ts';
import { outcomeCounts } from './outcome-counts.ts';

// A wave that is interrupted collects, grades and closes; on a busy machine that took up to a minute.
const endWithinMs = 10 * 60_000;

/** Throws HarnessError when a harness of an earlier session does not end. */
export async function adoptWaves({ notebook, results, say, wall, loadAt }: ExploreContext): Promise<void> {
  const open = notebook.current().waves.filter(({ endedAt }) => endedAt === null);
  for (const { process } of open) if (isAlive(process)) signalProcess(process, 'SIGINT');
  for (const wave of open) {
    await ended(wave);
    const found = { ...wave, wave: waveOfProcess(results, wave.process) };
    const { commits } = notebook.current();
    const log = notebook.store.paths.log(wave.name);
    const { outcomes, troubles } = collectPoints(results, { dealt: found, commits, log, loadAt });
    const proven = outcomes.filter(({ effect }) => effect !== 'unproven');
    notebook.change((exploration) => ({
      ...exploration,
      waves: exploration.waves.map((each) =>
        each.name === wave.name ? { ...found, endedAt: wall(), troubles } : each,
      ),
      attempts: [...exploration.attempts, ...proven],
    }));
    say(`${wave.name} of an earlier session: ${outcomeCounts(proven)} (${found.wave ?? 'no wave'})`);
  }
}

async function ended({ name, process }: DealtWave): Promise<void> {
  await waitUntil({
    what: `the end of the harness of ${name} (pid ${process.pid}), begun by an earlier session`,
    probe: async () => (isAlive(process) ? null : true),
    timeoutMs: endWithinMs,
    intervalMs: 250,
  });
}
