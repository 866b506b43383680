/**
 * How work comes to be: a wake, and the run that serves it, written in the transaction that saves what caused them. So
 * there is no moment at which an input is stored and nobody is going to look at it.
 *
 * An issue has one run at a time that is not over. What comes while that run waits is given to it; what comes while it
 * works waits as a deferred wake and is given to the next (finish.ts).
 */
import { oneRow, type Sql } from '../database/database.ts';
import { logActivity, type Actor } from './activity.ts';
import { isOver, openRunOf, setIssueStatus, type IssueRow, type RunContext, type RunRow } from './rows.ts';

export interface Cause {
  /** `issue_assigned`, `issue_commented`, `retry_failed_run` … */
  readonly reason: string;
  readonly actor: Actor;
  readonly commentIds: readonly string[];
}

/** The id of the run that will serve it; null when it waits for the one at work, or nobody is assigned. */
export async function wakeAgent(sql: Sql, issue: IssueRow, cause: Cause): Promise<string | null> {
  if (issue.assignee_agent_id === null) return null;
  const open = await openRunOf(sql, issue.id);
  if (open === null) return beginRun(sql, issue, cause);
  if (open.status === 'running') {
    await insertWake(sql, issue, { cause, status: 'deferred_issue_execution', runId: null });
    return null;
  }
  await giveToWaiting(sql, open, cause);
  await insertWake(sql, issue, { cause, status: 'coalesced', runId: open.id });
  return open.id;
}

export interface Beginning {
  /** The run that this one does again. */
  readonly retryOf?: RunRow;
  /** How often this cause has been tried before. */
  readonly attempt?: number;
  /** Not before; at once when there is none. */
  readonly dueAt?: Date | null;
}

/** Queues a new run of an issue that has none open, with every wake of the issue that still waits. Returns its id. */
export async function beginRun(sql: Sql, issue: IssueRow, cause: Cause, how: Beginning = {}): Promise<string> {
  const waiting = await takeDeferred(sql, issue.id);
  const commentIds = [...new Set([...cause.commentIds, ...waiting.flatMap(({ commentIds: ids }) => ids)])];
  const full = { ...cause, commentIds };
  await reopen(sql, issue, full);
  const wakeId = await insertWake(sql, issue, { cause: full, status: 'queued', runId: null });
  const { id } = await oneRow<{ id: string }>(
    sql,
    `insert into heartbeat_runs (company_id, agent_id, status, invocation_source, wakeup_request_id, context_snapshot,
       retry_of_run_id, scheduled_retry_at, scheduled_retry_attempt)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
    [
      issue.company_id,
      issue.assignee_agent_id,
      how.dueAt ? 'scheduled_retry' : 'queued',
      sourceOf(cause),
      wakeId,
      contextOf(issue, full, how.retryOf),
      how.retryOf?.id ?? null,
      how.dueAt ?? null,
      how.attempt ?? 0,
    ],
  );
  const settled = [wakeId, ...waiting.map((wake) => wake.id)];
  await sql.query('update agent_wakeup_requests set run_id = $2, updated_at = now() where id = any($1) returning id', [
    settled,
    id,
  ]);
  return id;
}

/** A waiting run gets the comments as well. What a person asks for is due now, whatever the run was waiting for. */
async function giveToWaiting(sql: Sql, run: RunRow, { commentIds, actor }: Cause): Promise<void> {
  const context = run.context_snapshot;
  const all = [...new Set([...context.wakeCommentIds, ...commentIds])];
  await sql.query('update heartbeat_runs set context_snapshot = $2, updated_at = now() where id = $1', [
    run.id,
    { ...context, ...commentsOf(all) },
  ]);
  if (actor.type !== 'user') return;
  await sql.query(
    `update heartbeat_runs set status = 'queued', scheduled_retry_at = null, updated_at = now() where id = $1`,
    [run.id],
  );
}

interface NewWake {
  readonly cause: Cause;
  readonly status: string;
  readonly runId: string | null;
}

async function insertWake(sql: Sql, issue: IssueRow, { cause, status, runId }: NewWake): Promise<string> {
  const wake = await oneRow<{ id: string }>(
    sql,
    `insert into agent_wakeup_requests (company_id, agent_id, status, source, reason, payload, run_id,
       requested_by_actor_type, requested_by_actor_id, finished_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
    [
      issue.company_id,
      issue.assignee_agent_id,
      status,
      sourceOf(cause),
      cause.reason,
      { issueId: issue.id, commentIds: cause.commentIds },
      runId,
      cause.actor.type,
      cause.actor.id,
      status === 'coalesced' ? new Date() : null,
    ],
  );
  return wake.id;
}

interface TakenWake {
  readonly id: string;
  readonly commentIds: readonly string[];
}

/** The wakes that waited for this moment; from now on they belong to the new run. */
async function takeDeferred(sql: Sql, issueId: string): Promise<readonly TakenWake[]> {
  const wakes = await sql.query<{ id: string; payload: { commentIds?: readonly string[] } }>(
    `update agent_wakeup_requests set status = 'coalesced', finished_at = now(), updated_at = now()
     where payload ->> 'issueId' = $1 and status = 'deferred_issue_execution' returning id, payload`,
    [issueId],
  );
  return wakes.map(({ id, payload }) => ({ id, commentIds: payload.commentIds ?? [] }));
}

async function reopen(sql: Sql, issue: IssueRow, cause: Cause): Promise<void> {
  if (!isOver(issue.status) && issue.status !== 'blocked') return;
  const { company_id: companyId, id: issueId } = issue;
  await setIssueStatus(sql, issue, 'todo');
  await logActivity(sql, { companyId, actor: cause.actor, action: 'issue.reopened', issueId, details: { ...cause } });
}

function contextOf(issue: IssueRow, cause: Cause, retryOf: RunRow | undefined): RunContext {
  return {
    issueId: issue.id,
    taskId: issue.id,
    wakeReason: cause.reason,
    source: sourceOf(cause),
    ...commentsOf(cause.commentIds),
    ...(retryOf === undefined ? {} : { retryOfRunId: retryOf.id }),
  };
}

function commentsOf(ids: readonly string[]): Pick<RunContext, 'wakeCommentIds' | 'wakeCommentId' | 'commentId'> {
  const last = ids.at(-1) ?? null;
  return { wakeCommentIds: ids, wakeCommentId: last, commentId: last };
}

function sourceOf({ reason, actor }: Cause): string {
  if (reason === 'issue_assigned') return 'assignment';
  return actor.type === 'user' ? 'on_demand' : 'automation';
}
