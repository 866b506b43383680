/**
 * The end of a run, in one transaction: the run, its wake, its lease, the issue's locks, the agent, and what comes next.
 * No reader ever sees a run that is over and something of it that is not.
 *
 * What comes next: wakes that waited; else a retry, with a due time, while the cause has tries left; else the issue is
 * blocked and a person is asked. After a person's Stop nothing comes next.
 */
import type { Sql } from '../database/database.ts';
import type { Plane } from '../plane.ts';
import { retryLimit, type Timers } from '../settings.ts';
import { system } from './activity.ts';
import { askPerson } from './recovery-action.ts';
import { waitsForSubtasks } from './parents.ts';
import { beginRun } from './queue.ts';
import { isOver, lockRun, type IssueRow, type RunRow } from './rows.ts';

export interface RunEnd {
  readonly status: 'succeeded' | 'failed' | 'cancelled' | 'interrupted';
  /** `adapter_failed`, `process_lost` …; null for a success. */
  readonly errorCode: string | null;
  /** Null when nobody learned it. */
  readonly exitCode: number | null;
}

/** Ends a running run. Does nothing to one that is over already: an end is never rewritten. */
export async function finishRun(plane: Plane, runId: string, end: RunEnd): Promise<void> {
  await plane.database.transaction(async (sql) => {
    const locked = await lockRun(sql, runId);
    if (locked === null || locked.run.status !== 'running') return;
    const told = asOrdered(locked.run, end);
    await storeEnd(sql, locked.run, told);
    await plane.steps.release(sql, locked.run, told);
    await plane.steps.follow(sql, locked, told, plane.settings.timers);
    plane.log(`run ${runId} ${told.status}${told.errorCode === null ? '' : ` (${told.errorCode})`}`);
  });
  plane.watched.delete(runId);
  plane.poke();
}

/** A run that a person stopped is cancelled, however its process came to its end; unless it was done by then. */
function asOrdered(run: RunRow, end: RunEnd): RunEnd {
  const isStopped = run.stop_requested_at !== null && end.status !== 'succeeded';
  return isStopped ? { status: 'cancelled', errorCode: 'cancelled', exitCode: end.exitCode } : end;
}

async function storeEnd(sql: Sql, run: RunRow, end: RunEnd): Promise<void> {
  await sql.query(
    `update heartbeat_runs set status = $2, exit_code = $3, error_code = $4, result_json = $5, finished_at = now(),
       controller_lease_expires_at = null, updated_at = now() where id = $1`,
    [run.id, end.status, end.exitCode, end.errorCode, { stopReason: end.errorCode ?? 'completed' }],
  );
}

/** What the run held is free again, and its wake is over. */
export async function release(sql: Sql, run: RunRow, end: RunEnd): Promise<void> {
  await sql.query(
    'update agent_wakeup_requests set status = $2, finished_at = now(), updated_at = now() where id = $1',
    [run.wakeup_request_id, end.status === 'succeeded' ? 'completed' : 'failed'],
  );
  await sql.query(
    `update environment_leases set status = 'released', released_at = now(), updated_at = now()
     where heartbeat_run_id = $1 and status = 'active' returning id`,
    [run.id],
  );
  await sql.query(
    `update issues set checkout_run_id = null, execution_run_id = null, execution_locked_at = null, updated_at = now()
     where execution_run_id = $1 returning id`,
    [run.id],
  );
  await sql.query(
    `update agents set status = 'idle', updated_at = now() where id = $1 and status = 'running'
     and not exists (select 1 from heartbeat_runs other where other.agent_id = $1 and other.status = 'running')`,
    [run.agent_id],
  );
}

export interface EndedRun {
  readonly run: RunRow;
  readonly issue: IssueRow;
}

/** What comes after the run; a person's Stop, nothing. */
export async function follow(sql: Sql, { run, issue }: EndedRun, end: RunEnd, timers: Timers): Promise<void> {
  if (end.status === 'cancelled' || run.stop_requested_at !== null) return;
  const served = end.status === 'succeeded' ? [] : run.context_snapshot.wakeCommentIds;
  if (await hasDeferred(sql, issue.id)) {
    const cause = { reason: 'issue_commented', actor: system, commentIds: served };
    await beginRun(sql, issue, cause, end.status === 'succeeded' ? {} : { retryOf: run });
    return;
  }
  if (isOver(issue.status) || issue.status === 'in_review' || issue.status === 'blocked') return;
  if (end.status === 'succeeded' && (await waitsForSubtasks(sql, issue))) return;
  if (run.scheduled_retry_attempt >= retryLimit) return askPerson(sql, { run, issue });
  const reason = end.status === 'succeeded' ? 'issue_continuation_needed' : 'transient_failure_retry';
  const attempt = run.scheduled_retry_attempt + 1;
  const dueAt = dueAfter(end, attempt, timers);
  await beginRun(sql, issue, { reason, actor: system, commentIds: served }, { retryOf: run, attempt, dueAt });
}

async function hasDeferred(sql: Sql, issueId: string): Promise<boolean> {
  const waiting = await sql.query(
    `select id from agent_wakeup_requests where payload ->> 'issueId' = $1 and status = 'deferred_issue_execution'`,
    [issueId],
  );
  return waiting.length > 0;
}

/** What the plane itself interrupted is due at once; what failed waits a little longer each time. */
function dueAfter(end: RunEnd, attempt: number, { retry, retryMax }: Timers): Date | null {
  if (end.status === 'interrupted') return null;
  return new Date(Date.now() + Math.min(retry * 2 ** (attempt - 1), retryMax));
}
