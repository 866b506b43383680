/** Comments. One of a person wakes the agent in the transaction that stores it; one of an agent wakes nobody. */
import { oneRow, type Sql } from '../database/database.ts';
import type { Actor } from '../work/activity.ts';
import { logActivity } from '../work/activity.ts';
import { wakeAgent } from '../work/queue.ts';
import { resolveActions } from '../work/recovery-action.ts';
import type { IssueRow } from '../work/rows.ts';
import {
  changeIssue,
  created,
  idOf,
  ok,
  requiredText,
  text,
  type ApiAnswer,
  type ApiRequest,
  type Route,
} from './request.ts';

export const commentRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/issues/:id/comments', act: createComment },
  { method: 'GET', path: '/api/issues/:id/comments', act: listComments },
];

interface CommentRow {
  readonly id: string;
  readonly issue_id: string;
  readonly author_type: string;
  readonly author_agent_id: string | null;
  readonly author_user_id: string | null;
  readonly created_by_run_id: string | null;
  readonly body: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

async function createComment(request: ApiRequest): Promise<ApiAnswer> {
  const comment = await changeIssue(request, (sql, issue) =>
    addComment(sql, issue, {
      actor: request.actor,
      body: requiredText(request, 'body'),
      clientRequestId: text(request, 'clientRequestId'),
    }),
  );
  return created(commentView(comment));
}

export interface NewComment {
  readonly actor: Actor;
  readonly body: string;
  /** The same text twice is one comment. Null: every call is another. */
  readonly clientRequestId: string | null;
}

/** Stores a comment once for each request id, and wakes the agent for one of a person. */
export async function addComment(sql: Sql, issue: IssueRow, comment: NewComment): Promise<CommentRow> {
  const { actor, body, clientRequestId } = comment;
  const [known] = await sql.query<CommentRow>(
    'select * from issue_comments where issue_id = $1 and client_request_id = $2',
    [issue.id, clientRequestId],
  );
  if (known !== undefined) return known;
  const stored = await oneRow<CommentRow>(
    sql,
    `insert into issue_comments (company_id, issue_id, author_type, author_agent_id, author_user_id, created_by_run_id,
       body, client_request_id) values ($1, $2, $3, $4, $5, $6, $7, $8) returning *`,
    [
      issue.company_id,
      issue.id,
      actor.type,
      actor.type === 'agent' ? actor.id : null,
      actor.type === 'user' ? actor.id : null,
      actor.runId,
      body,
      clientRequestId,
    ],
  );
  const about = { companyId: issue.company_id, actor, issueId: issue.id };
  await logActivity(sql, { ...about, action: 'issue.comment_added', details: { commentId: stored.id } });
  if (actor.type === 'user') {
    await resolveActions(sql, issue, actor);
    await wakeAgent(sql, issue, { reason: 'issue_commented', actor, commentIds: [stored.id] });
  }
  return stored;
}

async function listComments(request: ApiRequest): Promise<ApiAnswer> {
  const comments = await request.plane.database.query<CommentRow>(
    'select * from issue_comments where issue_id = $1 order by created_at, id',
    [idOf(request)],
  );
  const views = comments.map(commentView);
  return ok(request.query.get('order') === 'asc' ? views : views.toReversed());
}

function commentView(row: CommentRow): object {
  return {
    id: row.id,
    issueId: row.issue_id,
    authorType: row.author_type,
    authorAgentId: row.author_agent_id,
    authorUserId: row.author_user_id,
    createdByRunId: row.created_by_run_id,
    body: row.body,
    presentation: null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
