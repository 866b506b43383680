/** An issue as the board sees it: the row, and everything that says why it stands where it stands, of one moment. */
import type { Sql } from '../database/database.ts';
import { documentSummary, type DocumentRow } from './documents.ts';

interface IssueViewRow {
  readonly id: string;
  readonly company_id: string;
  readonly project_id: string | null;
  readonly parent_id: string | null;
  readonly identifier: string;
  readonly title: string;
  readonly description: string | null;
  readonly status: string;
  readonly assignee_agent_id: string | null;
  readonly checkout_run_id: string | null;
  readonly execution_run_id: string | null;
  readonly execution_locked_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly cwd: string | null;
  readonly retry: { readonly runId: string; readonly scheduledRetryAt: string } | null;
  readonly action: RecoveryAction | null;
  readonly blockers: readonly { readonly id: string; readonly status: string }[];
  readonly stalls: readonly object[];
  readonly documents: readonly DocumentRow[];
}

interface RecoveryAction {
  readonly id: string;
  readonly status: string;
  readonly ownerType: string | null;
  readonly cause: string | null;
  readonly nextAction: string | null;
  readonly runId: string | null;
}

const actionFields = `json_build_object('id', action.id, 'status', action.status, 'ownerType', action.owner_type,
  'cause', action.cause, 'outcome', action.outcome, 'nextAction', action.next_action, 'runId', action.evidence ->> 'runId')`;

/**
 * A subtask stalls while its latest action is open and the board's, or escalated; and when the board resolved it as
 * blocked and the subtask still is. What an agent or the plane itself owns is no stall.
 */
const stalls = `select json_agg(json_build_object('relation', 'child', 'stalledIssueId', child.id, 'recoveryAction', ${actionFields}))
  from issues child cross join lateral (select * from issue_recovery_actions latest
    where latest.source_issue_id = child.id order by latest.created_at desc limit 1) action
  where child.parent_id = issue.id and (action.status = 'escalated'
    or (action.status = 'active' and action.owner_type = 'board')
    or (action.status = 'resolved' and action.owner_type = 'board' and action.outcome = 'blocked' and child.status = 'blocked'))`;

const statement = `select issue.*,
    (select cwd from execution_workspaces where source_issue_id = issue.id) as cwd,
    (select json_build_object('runId', run.id, 'scheduledRetryAt', run.scheduled_retry_at) from heartbeat_runs run
      where run.context_snapshot ->> 'issueId' = issue.id::text and run.status = 'scheduled_retry') as retry,
    (select ${actionFields} from issue_recovery_actions action where action.source_issue_id = issue.id
      and action.status in ('active', 'escalated') order by action.created_at desc limit 1) as action,
    coalesce((select json_agg(json_build_object('id', child.id, 'status', child.status) order by child.issue_number)
      from issues child where child.parent_id = issue.id and child.blocks_parent
      and child.status not in ('done', 'cancelled')), '[]') as blockers,
    coalesce((${stalls}), '[]') as stalls,
    coalesce((select json_agg(to_jsonb(document) - 'body' order by document.key) from issue_documents document
      where document.issue_id = issue.id), '[]') as documents
  from issues issue where issue.id = $1`;

/** Null when there is no such issue. */
export async function readIssueView(sql: Sql, issueId: string): Promise<object | null> {
  const [row] = await sql.query<IssueViewRow>(statement, [issueId]);
  return row === undefined ? null : issueView(row);
}

function issueView(row: IssueViewRow): object {
  return {
    id: row.id,
    companyId: row.company_id,
    projectId: row.project_id,
    parentId: row.parent_id,
    identifier: row.identifier,
    title: row.title,
    description: row.description,
    status: row.status,
    assigneeAgentId: row.assignee_agent_id,
    checkoutRunId: row.checkout_run_id,
    executionRunId: row.execution_run_id,
    executionLockedAt: row.execution_locked_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    blockedBy: row.blockers,
    executionBlocker: blockerOf(row.action),
    activeRecoveryAction: row.action,
    scheduledRetry: row.retry,
    stalledDependencies: row.stalls,
    currentExecutionWorkspace: row.cwd === null ? null : { cwd: row.cwd },
    documentSummaries: row.documents.map(documentSummary),
  };
}

/** Execution cannot go on by itself exactly while the board is asked for something. */
function blockerOf(action: RecoveryAction | null): object | null {
  if (action === null) return null;
  const { id, cause, runId, nextAction } = action;
  return { cause, runId, recoveryActionId: id, nextAction };
}
