/**
 * The end of what the plane can do by itself: the issue is blocked, and the board has an action that names the run, the
 * reason and the way out, which is Retry.
 */
import { oneRow, type Sql } from '../database/database.ts';
import { logActivity, system, type Actor } from './activity.ts';
import { setIssueStatus, type IssueRow, type RunRow } from './rows.ts';
import { tellParentOfStall } from './parents.ts';

/** Blocks the issue and asks the board. */
export async function askPerson(
  sql: Sql,
  { run, issue }: { readonly run: RunRow; readonly issue: IssueRow },
  cause = 'retries_exhausted',
): Promise<void> {
  const blocked = await setIssueStatus(sql, issue, 'blocked');
  const action = await oneRow<{ id: string }>(
    sql,
    `insert into issue_recovery_actions (company_id, source_issue_id, kind, status, owner_type, cause, next_action, evidence)
     values ($1, $2, $3, 'active', 'board', $3, $4, $5) returning id`,
    [issue.company_id, issue.id, cause, 'Retry the run, or comment on the issue.', { runId: run.id }],
  );
  await logActivity(sql, {
    companyId: issue.company_id,
    actor: system,
    action: 'issue.recovery_action_opened',
    issueId: issue.id,
    details: { recoveryActionId: action.id, runId: run.id },
  });
  await tellParentOfStall(sql, blocked, action.id);
}

/** A person acted on the issue: what was asked of the board is answered. */
export async function resolveActions(sql: Sql, issue: IssueRow, actor: Actor): Promise<void> {
  const resolved = await sql.query<{ id: string }>(
    `update issue_recovery_actions set status = 'resolved', outcome = 'restored', resolved_at = now(), updated_at = now()
     where source_issue_id = $1 and status in ('active', 'escalated') returning id`,
    [issue.id],
  );
  for (const { id } of resolved) {
    const details = { recoveryActionId: id };
    const { company_id: companyId, id: issueId } = issue;
    await logActivity(sql, { companyId, actor, action: 'issue.recovery_action_resolved', issueId, details });
  }
}
