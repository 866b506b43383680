/** Issues: created with their first wake, shown, changed, split into subtasks; and the lists below them. */
import { oneRow, type Sql } from '../database/database.ts';
import { logActivity, type Actor } from '../work/activity.ts';
import { tellParentOfEnd } from '../work/parents.ts';
import { wakeAgent } from '../work/queue.ts';
import { resolveActions } from '../work/recovery-action.ts';
import { stopWorkOn } from '../work/stop.ts';
import { isOver, setIssueStatus, type IssueRow } from '../work/rows.ts';
import { addComment } from './comments.ts';
import { readIssueView } from './issue-view.ts';
import {
  changeIssue,
  created,
  idOf,
  ok,
  Refusal,
  requiredText,
  text,
  type ApiAnswer,
  type ApiRequest,
  type Route,
} from './request.ts';

export const issueRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/companies/:id/issues', act: createIssue },
  { method: 'GET', path: '/api/issues/:id', act: showIssue },
  { method: 'PATCH', path: '/api/issues/:id', act: patchIssue },
  { method: 'POST', path: '/api/issues/:id/children', act: createChild },
  { method: 'GET', path: '/api/issues/:id/activity', act: listActivity },
  { method: 'GET', path: '/api/issues/:id/recovery-actions', act: listRecoveryActions },
  // Nothing here makes these; they are asked for all the same.
  ...['approvals', 'interactions', 'attachments', 'work-products', 'queued-comments'].map((name): Route => ({
    method: 'GET',
    path: `/api/issues/:id/${name}`,
    act: async () => ok([]),
  })),
];

interface NewIssue {
  readonly companyId: string;
  readonly title: string;
  readonly description: string | null;
  readonly projectId: string | null;
  readonly assigneeAgentId: string | null;
  readonly parentId: string | null;
  readonly blocksParent: boolean;
  readonly idempotencyKey: string | null;
}

async function createIssue(request: ApiRequest): Promise<ApiAnswer> {
  const { plane, actor } = request;
  if (actor.type !== 'user') throw new Refusal(403, 'an agent creates subtasks: POST /api/issues/:id/children');
  const wanted = newIssue(request, { companyId: idOf(request), parentId: null, blocksParent: false });
  const { id, isNew } = await plane.database.transaction((sql) => insertIssue(sql, wanted, actor));
  plane.poke();
  const view = await readIssueView(plane.database, id);
  return isNew ? created(view) : ok(view);
}

async function createChild(request: ApiRequest): Promise<ApiAnswer> {
  const blocksParent = request.body['blockParentUntilDone'] === true;
  const id = await changeIssue(request, async (sql, parent) => {
    const wanted = newIssue(request, { companyId: parent.company_id, parentId: parent.id, blocksParent });
    const projectId = wanted.projectId ?? parent.project_id;
    const child = await insertIssue(sql, { ...wanted, projectId }, request.actor);
    const about = { companyId: parent.company_id, actor: request.actor, issueId: parent.id };
    await logActivity(sql, { ...about, action: 'issue.child_created', details: { childIssueId: child.id } });
    return child.id;
  });
  return created(await readIssueView(request.plane.database, id));
}

function newIssue(request: ApiRequest, place: Pick<NewIssue, 'companyId' | 'parentId' | 'blocksParent'>): NewIssue {
  return {
    ...place,
    title: requiredText(request, 'title'),
    description: text(request, 'description'),
    projectId: text(request, 'projectId'),
    assigneeAgentId: text(request, 'assigneeAgentId'),
    idempotencyKey: text(request, 'idempotencyKey'),
  };
}

/** The same key twice is the same issue. Its wake is stored with it, so an assigned issue is never without one. */
async function insertIssue(
  sql: Sql,
  wanted: NewIssue,
  actor: Actor,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  // The counter's row is the lock under which the key is looked for.
  const [company] = await sql.query<{ number: number; name: string }>(
    'update companies set issue_counter = issue_counter + 1 where id = $1 returning issue_counter as number, name',
    [wanted.companyId],
  );
  if (company === undefined) throw new Refusal(404, `there is no company ${wanted.companyId}`);
  const [known] = await sql.query<{ id: string }>(
    'select id from issues where company_id = $1 and idempotency_key = $2',
    [wanted.companyId, wanted.idempotencyKey],
  );
  if (known !== undefined) return { id: known.id, isNew: false };
  const prefix =
    company.name
      .replaceAll(/[^A-Za-z]/g, '')
      .slice(0, 3)
      .toUpperCase() || 'LAB';
  const issue = await oneRow<IssueRow>(
    sql,
    `insert into issues (company_id, project_id, parent_id, issue_number, identifier, title, description, status,
       assignee_agent_id, blocks_parent, idempotency_key) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning *`,
    [
      wanted.companyId,
      wanted.projectId,
      wanted.parentId,
      company.number,
      `${prefix}-${company.number}`,
      wanted.title,
      wanted.description,
      wanted.assigneeAgentId === null ? 'backlog' : 'todo',
      wanted.assigneeAgentId,
      wanted.blocksParent,
      wanted.idempotencyKey,
    ],
  );
  await logActivity(sql, { companyId: issue.company_id, actor, action: 'issue.created', issueId: issue.id });
  await wakeAgent(sql, issue, { reason: 'issue_assigned', actor, commentIds: [] });
  return { id: issue.id, isNew: true };
}

async function showIssue(request: ApiRequest): Promise<ApiAnswer> {
  const view = await readIssueView(request.plane.database, idOf(request));
  if (view === null) throw new Refusal(404, 'Issue not found');
  return ok(view);
}

const statuses = ['backlog', 'todo', 'in_progress', 'in_review', 'blocked', 'done', 'cancelled'];

/** Status, and a comment beside it; both or none. */
async function patchIssue(request: ApiRequest): Promise<ApiAnswer> {
  const [status, comment] = [text(request, 'status'), text(request, 'comment')];
  if (status !== null && !statuses.includes(status)) throw new Refusal(422, `status takes ${statuses.join(', ')}`);
  const { plane, actor } = request;
  const id = await changeIssue(request, async (sql, issue) => {
    const changed =
      status === null || status === issue.status ? issue : await changeStatus(sql, { issue, status, actor });
    if (comment !== null) await addComment(sql, changed, { actor, body: comment, clientRequestId: null });
    return issue.id;
  });
  return ok(await readIssueView(plane.database, id));
}

interface StatusChange {
  readonly issue: IssueRow;
  readonly status: string;
  readonly actor: Actor;
}

async function changeStatus(sql: Sql, { issue, status, actor }: StatusChange): Promise<IssueRow> {
  const changed = await setIssueStatus(sql, issue, status);
  const details = { from: issue.status, to: status };
  await logActivity(sql, { companyId: issue.company_id, actor, action: 'issue.updated', issueId: issue.id, details });
  if (status !== 'blocked') await resolveActions(sql, changed, actor);
  if (!isOver(status)) return changed;
  await stopWorkOn(sql, changed);
  await tellParentOfEnd(sql, changed);
  return changed;
}

async function listActivity(request: ApiRequest): Promise<ApiAnswer> {
  const rows = await request.plane.database.query(
    `select id, actor_type as "actorType", actor_id as "actorId", action, entity_type as "entityType",
       entity_id as "entityId", run_id as "runId", details, created_at as "createdAt"
     from activity_log where entity_type = 'issue' and entity_id = $1 order by created_at desc, id`,
    [idOf(request)],
  );
  return ok(rows);
}

async function listRecoveryActions(request: ApiRequest): Promise<ApiAnswer> {
  const actions = await request.plane.database.query(
    `select id, kind, status, owner_type as "ownerType", cause, outcome, next_action as "nextAction", evidence
     from issue_recovery_actions where source_issue_id = $1 and status in ('active', 'escalated') order by created_at desc`,
    [idOf(request)],
  );
  return ok({ active: actions[0] ?? null, actions });
}
