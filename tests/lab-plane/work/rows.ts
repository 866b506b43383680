/** The rows that work is made of, as they are read, and their locks. */
import { oneRow, type Sql } from '../database/database.ts';

export interface IssueRow {
  readonly id: string;
  readonly company_id: string;
  readonly project_id: string | null;
  readonly parent_id: string | null;
  readonly identifier: string;
  readonly status: string;
  readonly assignee_agent_id: string | null;
  readonly blocks_parent: boolean;
}

/** Why a run is there and what it is given. */
export interface RunContext {
  readonly issueId: string;
  readonly taskId: string;
  readonly wakeReason: string;
  readonly source: string;
  readonly wakeCommentIds: readonly string[];
  readonly wakeCommentId: string | null;
  readonly commentId: string | null;
  readonly retryOfRunId?: string;
}

export interface RunRow {
  readonly id: string;
  readonly company_id: string;
  readonly agent_id: string;
  readonly status: string;
  readonly context_snapshot: RunContext;
  readonly wakeup_request_id: string;
  readonly scheduled_retry_attempt: number;
  readonly process_pid: number | null;
  readonly process_start_mark: string | null;
  readonly stop_requested_at: Date | null;
}

/** Statuses of a run that is not over. The database allows one such run an issue. */
export const openRunStatuses: readonly string[] = ['queued', 'scheduled_retry', 'running'];

/** Whether nobody is expected to work on an issue in this status any more. */
export function isOver(status: string): boolean {
  return status === 'done' || status === 'cancelled';
}

/**
 * Everything that changes an issue, its runs or its wakes takes this lock first, so that each such change is alone.
 * Null when there is no such issue.
 */
export async function lockIssue(sql: Sql, issueId: string): Promise<IssueRow | null> {
  const [issue] = await sql.query<IssueRow>('select * from issues where id = $1 for update', [issueId]);
  return issue ?? null;
}

/** A run together with the lock of its issue. Null when there is no such run. */
export async function lockRun(sql: Sql, runId: string): Promise<{ run: RunRow; issue: IssueRow } | null> {
  const [known] = await sql.query<RunRow>('select * from heartbeat_runs where id = $1', [runId]);
  const issue = known === undefined ? null : await lockIssue(sql, known.context_snapshot.issueId);
  if (issue === null) return null;
  return { run: await oneRow<RunRow>(sql, 'select * from heartbeat_runs where id = $1 for update', [runId]), issue };
}

/** The run of an issue that is not over. */
export async function openRunOf(sql: Sql, issueId: string): Promise<RunRow | null> {
  const [run] = await sql.query<RunRow>(
    "select * from heartbeat_runs where context_snapshot ->> 'issueId' = $1 and status = any($2)",
    [issueId, openRunStatuses],
  );
  return run ?? null;
}

export async function setIssueStatus(sql: Sql, issue: IssueRow, status: string): Promise<IssueRow> {
  await sql.query('update issues set status = $2, completed_at = $3, updated_at = now() where id = $1', [
    issue.id,
    status,
    status === 'done' ? new Date() : null,
  ]);
  return { ...issue, status };
}
