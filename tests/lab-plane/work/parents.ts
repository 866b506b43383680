/**
 * What a parent learns of its subtasks: that all it waits for are over, and that one cannot go on by itself. Each is
 * told once, in the transaction that makes it so.
 */
import type { Sql } from '../database/database.ts';
import { logActivity, system } from './activity.ts';
import { isOver, lockIssue, setIssueStatus, type IssueRow } from './rows.ts';
import { wakeAgent } from './queue.ts';

/** Called when an issue came to its end. */
export async function tellParentOfEnd(sql: Sql, child: IssueRow): Promise<void> {
  if (child.parent_id === null || !child.blocks_parent) return;
  const parent = await lockIssue(sql, child.parent_id);
  if (parent === null || isOver(parent.status)) return;
  const siblings = await sql.query<{ id: string; status: string }>(
    'select id, status from issues where parent_id = $1 and blocks_parent order by id',
    [parent.id],
  );
  if (!siblings.every(({ id, status }) => id === child.id || isOver(status))) return;
  const unblocked = parent.status === 'blocked' ? await setIssueStatus(sql, parent, 'todo') : parent;
  await wakeAgent(sql, unblocked, { reason: 'issue_children_completed', actor: system, commentIds: [] });
}

/** Called when an action of the board was opened on a subtask. */
export async function tellParentOfStall(sql: Sql, child: IssueRow, recoveryActionId: string): Promise<void> {
  if (child.parent_id === null || !child.blocks_parent) return;
  const parent = await lockIssue(sql, child.parent_id);
  if (parent === null || isOver(parent.status)) return;
  const isNew = await logActivity(sql, {
    companyId: parent.company_id,
    actor: system,
    action: 'issue.blocker_stalled_wake',
    issueId: parent.id,
    details: { stalledIssueId: child.id, recoveryActionId },
    once: `blocker_stalled_wake ${parent.id} ${child.id} ${recoveryActionId}`,
  });
  if (isNew) await wakeAgent(sql, parent, { reason: 'issue_blocker_stalled', actor: system, commentIds: [] });
}

/** Blocks a parent whose run is over and whose subtasks are not. False when it waits for none. */
export async function waitsForSubtasks(sql: Sql, parent: IssueRow): Promise<boolean> {
  const children = await sql.query<{ status: string }>(
    'select status from issues where parent_id = $1 and blocks_parent',
    [parent.id],
  );
  if (children.every(({ status }) => isOver(status))) return false;
  await setIssueStatus(sql, parent, 'blocked');
  return true;
}
