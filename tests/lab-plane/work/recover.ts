/**
 * What a boot does before it serves anybody, pass by pass, in this order: **adopt** the runs whose process lives, **reap**
 * those whose process is gone, **resume** what has become due, **reconcile** issues that should go on and have no run,
 * **sweep** what names a run that is over. Every pass may be done again, so a plane that dies in one of them loses nothing.
 *
 * The lock of the database says that no other plane lives. So every claim found here has lost its owner, whatever is
 * left of its lease.
 */
import type { Plane } from '../plane.ts';
import { system } from './activity.ts';
import { graceMs, type AgentRow } from './agent-command.ts';
import { finishRun } from './finish.ts';
import { endGroup } from './process.ts';
import { beginRun } from './queue.ts';
import { isOver, lockIssue, openRunOf, openRunStatuses, type RunRow } from './rows.ts';
import { endOf } from './watch.ts';

/** All passes. Throws what the database throws. */
export async function recover(plane: Plane): Promise<void> {
  const runs = await plane.database.query<OrphanRow>(orphans, [null]);
  const lost: RunRow[] = [];
  for (const run of runs) if (!(await plane.steps.adopt(plane, run))) lost.push(run);
  for (const run of lost) await plane.steps.reap(plane, run);
  await resume(plane);
  await plane.steps.reconcile(plane);
  await plane.steps.sweep(plane);
}

/** The same for what went wrong while the plane was up: claims that ran out, issues without a run, stale holds. */
export async function sweepAll(plane: Plane): Promise<void> {
  const runs = await plane.database.query<OrphanRow>(orphans, [new Date()]);
  for (const run of runs) {
    if (plane.watched.has(run.id) || plane.starting.has(run.id)) continue;
    if (!(await plane.steps.adopt(plane, run))) await plane.steps.reap(plane, run);
  }
  await plane.steps.reconcile(plane);
  await plane.steps.sweep(plane);
}

export type OrphanRow = RunRow & Pick<AgentRow, 'adapter_config'>;

/** Running runs whose claim has run out at a moment; all of them when there is none. */
const orphans = `select run.*, agent.adapter_config from heartbeat_runs run join agents agent on agent.id = run.agent_id
  where run.status = 'running' and ($1::timestamptz is null or run.controller_lease_expires_at < $1) order by run.created_at`;

/** Takes over a run whose process lives. False when it does not. */
export async function adopt(plane: Plane, run: OrphanRow): Promise<boolean> {
  if (run.process_pid === null || run.process_start_mark === null) return false;
  const process = { pid: run.process_pid, startMark: run.process_start_mark };
  if (endOf(plane, { runId: run.id, process }) !== null) return false;
  await plane.database.query(
    `update heartbeat_runs set controller_boot_id = $2, controller_lease_expires_at = now() + $3 * interval '1 millisecond',
       updated_at = now() where id = $1`,
    [run.id, plane.bootId, plane.settings.timers.lease],
  );
  const grace = graceMs(run);
  plane.watched.set(run.id, { runId: run.id, process, graceMs: grace, outputBytes: -1, leaseRenewedAtMs: Date.now() });
  plane.log(`run ${run.id} adopted, process ${process.pid}`);
  return true;
}

/** Ends a run whose process is gone, with the exit code that it left; one without a process never began. */
export async function reap(plane: Plane, run: RunRow): Promise<void> {
  const process = { pid: run.process_pid ?? 0, startMark: run.process_start_mark ?? '' };
  const end = endOf(plane, { runId: run.id, process });
  if (end === null) return;
  // What the agent left in its group would outlive its run.
  if (run.process_pid !== null) await endGroup(process, 0);
  await finishRun(plane, run.id, end);
}

/** What was due while no plane was there. Queued runs need nothing: the dispatcher finds them by their status. */
async function resume({ database }: Plane): Promise<void> {
  await database.query(
    `update heartbeat_runs set status = 'queued', updated_at = now()
     where status = 'scheduled_retry' and scheduled_retry_at <= now() returning id`,
  );
}

/**
 * Gives a run to every assigned issue that is meant to be worked on and has none: no commit of this plane leaves such an
 * issue, so this mends what another hand did. An issue whose last run was stopped by a person waits for a person.
 */
export async function reconcile({ database, poke }: Plane): Promise<void> {
  const idle = await database.query<{ id: string }>(
    `select issue.id from issues issue where issue.status in ('todo', 'in_progress') and issue.assignee_agent_id is not null
       and not exists (select 1 from heartbeat_runs run
         where run.context_snapshot ->> 'issueId' = issue.id::text and run.status = any($1))
       and (select run.stop_requested_at from heartbeat_runs run
         where run.context_snapshot ->> 'issueId' = issue.id::text order by run.created_at desc limit 1) is null`,
    [openRunStatuses],
  );
  for (const { id } of idle) {
    await database.transaction(async (sql) => {
      const issue = await lockIssue(sql, id);
      if (issue === null || isOver(issue.status) || (await openRunOf(sql, id)) !== null) return;
      await beginRun(sql, issue, { reason: 'issue_continuation_needed', actor: system, commentIds: [] });
    });
  }
  if (idle.length > 0) poke();
}

/** Leases and locks of runs that are over, agents marked running that are not. */
export async function sweep({ database: sql }: Plane): Promise<void> {
  await sql.query(
    `update environment_leases set status = 'released', released_at = now(), updated_at = now()
     where status = 'active' and not exists (select 1 from heartbeat_runs run
       where run.id = environment_leases.heartbeat_run_id and run.status = 'running') returning id`,
  );
  await sql.query(
    `update issues set checkout_run_id = null, execution_run_id = null, execution_locked_at = null, updated_at = now()
     where execution_run_id is not null and not exists (select 1 from heartbeat_runs run
       where run.id = issues.execution_run_id and run.status = 'running') returning id`,
  );
  await sql.query(
    `update agents set status = 'idle', updated_at = now() where status = 'running' and not exists
       (select 1 from heartbeat_runs run where run.agent_id = agents.id and run.status = 'running') returning id`,
  );
}
