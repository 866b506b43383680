/**
 * The two orders that end a process. A board user's Stop holds: the order is stored before anything is signalled, so a
 * plane that dies in between carries it out at its next boot, and nothing follows it but newer input of a person. The
 * end of the plane itself interrupts: the run's successor is queued in the transaction that ends it.
 */
import type { Sql } from '../database/database.ts';
import type { Plane, WatchedRun } from '../plane.ts';
import { finishRun, type RunEnd } from './finish.ts';
import { endGroup } from './process.ts';
import { lockRun, openRunOf, openRunStatuses, type IssueRow, type RunRow } from './rows.ts';
import { endOf } from './watch.ts';

/** Who wants the process to end: a person, or the plane that ends itself. */
export type Order = 'cancelled' | 'interrupted';

/** False when the run is not there or over. */
export async function orderStop(plane: Plane, runId: string): Promise<boolean> {
  const isOrdered = await plane.database.transaction(async (sql) => {
    const locked = await lockRun(sql, runId);
    if (locked === null || !openRunStatuses.includes(locked.run.status)) return false;
    await stopRun(sql, locked.run, 'cancelled');
    return true;
  });
  if (isOrdered) await carryOutStops(plane);
  return isOrdered;
}

/** Nobody works on an issue that is over: what waits is cancelled, and what works on a cancelled one is stopped. */
export async function stopWorkOn(sql: Sql, issue: IssueRow): Promise<void> {
  const open = await openRunOf(sql, issue.id);
  if (open === null || (open.status === 'running' && issue.status !== 'cancelled')) return;
  await stopRun(sql, open, 'issue_terminal_status');
}

/** A run that waits is over at once; one at work has an order, which the next look carries out. */
async function stopRun(sql: Sql, run: RunRow, errorCode: string): Promise<void> {
  if (run.status === 'running') {
    await sql.query('update heartbeat_runs set stop_requested_at = now(), updated_at = now() where id = $1', [run.id]);
    return;
  }
  await sql.query(
    `update heartbeat_runs set status = 'cancelled', error_code = $2, stop_requested_at = now(), finished_at = now(),
       updated_at = now() where id = $1`,
    [run.id, errorCode],
  );
  await sql.query(
    "update agent_wakeup_requests set status = 'cancelled', finished_at = now(), updated_at = now() where id = $1",
    [run.wakeup_request_id],
  );
}

/** Ends the processes of runs that were ordered to stop; called after the order, and in every sweep. */
export async function carryOutStops(plane: Plane): Promise<void> {
  const ordered = await plane.database.query<{ id: string }>(
    "select id from heartbeat_runs where status = 'running' and stop_requested_at is not null",
  );
  for (const { id } of ordered) {
    const watched = plane.watched.get(id);
    if (watched !== undefined) await endWith(plane, watched, 'cancelled');
  }
}

/** Asks every process to end, all at the same time, and stores how each did. */
export async function interruptAll(plane: Plane): Promise<void> {
  await Promise.all([...plane.watched.values()].map((watched) => endWith(plane, watched, 'interrupted')));
}

/** Ends the process of a run, and all of its group; returns when it is gone. Every order ends it in the same way. */
export async function endProcess({ process, graceMs }: WatchedRun, _order: Order): Promise<void> {
  await endGroup(process, graceMs);
}

/** How a run is stored that was ended by an order. */
export function endByOrder(order: Order): RunEnd {
  const errorCode = order === 'cancelled' ? 'cancelled' : 'server_shutdown_interrupted';
  return { status: order, errorCode, exitCode: null };
}

async function endWith(plane: Plane, watched: WatchedRun, status: Order): Promise<void> {
  // Out of the watch first: it would take the process for lost.
  plane.watched.delete(watched.runId);
  await plane.steps.endProcess(watched, status);
  const own = endOf(plane, watched);
  // What had come to its own end by then is stored as that.
  const ended = own !== null && own.exitCode !== null ? own : plane.steps.endByOrder(status);
  await finishRun(plane, watched.runId, ended);
}
