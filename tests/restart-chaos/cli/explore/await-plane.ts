/** Waits for the first boot of a wave's plane to be over, as far as another one would be in its way. */
import { planeWasReady } from '../../evidence/wave-of-process.ts';
import type { ProcessIdentity } from '../../model/fault.ts';
import { isAlive } from '../../process/identity.ts';
import { waitUntil } from '../../process/wait.ts';
import type { ExploreContext } from './explore-context.ts';

// Three first boots at once took 28 s each on 2 processors: whoever waits longer for one wins nothing by it.
const startWithinMs = 30_000;

/** Resolves when the plane of a harness is ready, when the harness has ended, or after 30 s. Never rejects. */
export async function awaitPlane(
  { results, stop }: Pick<ExploreContext, 'results' | 'stop'>,
  harness: ProcessIdentity,
  withinMs = startWithinMs,
): Promise<void> {
  const over = waitUntil({
    what: `the first boot of the plane of harness ${harness.pid}`,
    probe: async () => (!isAlive(harness) || planeWasReady(results, harness) ? true : null),
    timeoutMs: withinMs,
    intervalMs: 500,
    signal: stop,
  });
  // Whatever ended the wait, nobody has to wait any longer.
  await over.catch(() => undefined);
}
