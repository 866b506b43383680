/**
 * Signals to a postmaster and everything it forked. Waiting for the end is included, starting again is not.
 * Trap: a postmaster that is only killed leaves backends that notice it at their leisure, one in a long statement not
 * before its end; and while one of them is attached to the shared memory, no other postmaster starts on the directory.
 */
import type { ProcessIdentity } from '../model/fault.ts';
import { HarnessError } from '../model/errors.ts';
import { isAlive, signalProcess } from '../process/identity.ts';
import { treeBelow } from '../process/table.ts';
import { waitUntil } from '../process/wait.ts';

// A killed process was gone within 30 ms here; the limit is for a machine that has no time for us.
const goneTimeoutMs = 10_000;

/**
 * Sends a signal to the postmaster and all its processes; answers those that got it, empty when the postmaster was gone.
 * Throws HarnessError('process-not-ended') when the system refuses.
 */
export function signalTree(postmaster: ProcessIdentity, signal: NodeJS.Signals): readonly ProcessIdentity[] {
  // Stopped first, so that it cannot fork while the others are looked for; after its death they have no parent to be found by.
  signalProcess(postmaster, 'SIGSTOP');
  const below = settledTreeBelow(postmaster);
  return [...below, postmaster].filter((process) => signalProcess(process, signal));
}

/** A stop needs a moment to arrive; the list is complete when it did not change from one look to the next. */
function settledTreeBelow(postmaster: ProcessIdentity): readonly ProcessIdentity[] {
  let before = treeBelow(postmaster);
  for (let look = 0; look < 5; look += 1) {
    const now = treeBelow(postmaster);
    if (now.length === before.length) return now;
    before = now;
  }
  return before;
}

/** Waits until none of these is alive. Throws HarnessError('process-not-ended') naming those that still are after 10 s. */
export async function awaitGone(processes: readonly ProcessIdentity[]): Promise<void> {
  const alive = (): readonly number[] => processes.filter(isAlive).map(({ pid }) => pid);
  try {
    await waitUntil({
      what: 'the processes of a killed Postgres to be gone',
      probe: async () => (alive().length === 0 ? true : null),
      timeoutMs: goneTimeoutMs,
      intervalMs: 5,
    });
  } catch (error) {
    throw new HarnessError(
      'process-not-ended',
      `processes ${alive().join(', ')} of Postgres still live ${goneTimeoutMs} ms after SIGKILL; look at them with "ps -o stat,wchan,args -p <pid>"`,
      { cause: error },
    );
  }
}
