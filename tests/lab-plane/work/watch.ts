/**
 * Looks at the processes of running runs: whether they printed something, whether they ended and how. A process of this
 * boot and one that was adopted are looked at in the same way, because neither tells its parent anything.
 */
import type { Plane, WatchedRun } from '../plane.ts';
import { finishRun, type RunEnd } from './finish.ts';
import { endGroup, isAlive } from './process.ts';
import { outputBytes, readExitCode } from './run-files.ts';

/** One look at each. Throws what the database throws; the next look sees the same again. */
export async function watchRuns(plane: Plane): Promise<void> {
  for (const watched of plane.watched.values()) {
    const end = endOf(plane, watched);
    if (end === null) {
      await noteLife(plane, watched);
    } else {
      // Over means that nothing of it runs any more: also what the agent left in its group.
      await endGroup(watched.process, 0);
      await noteLife(plane, watched);
      await finishRun(plane, watched.runId, end);
    }
  }
}

/** How a run came to its end; null while its process lives. */
export function endOf(plane: Plane, { runId, process }: Pick<WatchedRun, 'runId' | 'process'>): RunEnd | null {
  // In this order: a process that is gone has left its exit code by then, if it ever will.
  const lives = isAlive(process);
  const code = readExitCode(plane, runId);
  if (code === null) return lives ? null : { status: 'failed', errorCode: 'process_lost', exitCode: null };
  if (code === 0) return { status: 'succeeded', errorCode: null, exitCode: 0 };
  return { status: 'failed', errorCode: 'adapter_failed', exitCode: code };
}

/** Stores new output, and renews the claim when a third of it is over. */
async function noteLife(plane: Plane, watched: WatchedRun): Promise<void> {
  const bytes = outputBytes(plane, watched.runId);
  const { lease } = plane.settings.timers;
  const isRenewalDue = Date.now() - watched.leaseRenewedAtMs > lease / 3;
  if (bytes === watched.outputBytes && !isRenewalDue) return;
  await plane.database.query(
    `update heartbeat_runs set controller_lease_expires_at = now() + $3 * interval '1 millisecond', last_output_seq = $2,
       last_output_at = case when last_output_seq = $2 then last_output_at else now() end, updated_at = now()
     where id = $1 and status = 'running' returning id`,
    [watched.runId, bytes, lease],
  );
  watched.outputBytes = bytes;
  watched.leaseRenewedAtMs = Date.now();
}
