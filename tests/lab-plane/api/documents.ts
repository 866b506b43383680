/** Documents of an issue, by key. A new text names the revision it was made from; one that is not the latest is refused. */
import { randomUUID } from 'node:crypto';
import { oneRow } from '../database/database.ts';
import { logActivity } from '../work/activity.ts';
import {
  changeIssue,
  created,
  idOf,
  ok,
  param,
  Refusal,
  requiredText,
  text,
  type ApiAnswer,
  type ApiRequest,
  type Route,
} from './request.ts';

export const documentRoutes: readonly Route[] = [
  { method: 'GET', path: '/api/issues/:id/documents', act: listDocuments },
  { method: 'GET', path: '/api/issues/:id/documents/:key', act: showDocument },
  { method: 'PUT', path: '/api/issues/:id/documents/:key', act: writeDocument },
];

export interface DocumentRow {
  readonly id: string;
  readonly issue_id: string;
  readonly key: string;
  readonly title: string | null;
  readonly format: string | null;
  readonly body: string;
  readonly latest_revision_id: string;
  readonly latest_revision_number: number;
  readonly updated_at: Date;
}

async function listDocuments(request: ApiRequest): Promise<ApiAnswer> {
  const rows = await request.plane.database.query<DocumentRow>(
    'select * from issue_documents where issue_id = $1 order by key',
    [idOf(request)],
  );
  return ok(rows.map((row) => ({ ...documentSummary(row), body: row.body })));
}

async function showDocument(request: ApiRequest): Promise<ApiAnswer> {
  const [row] = await request.plane.database.query<DocumentRow>(
    'select * from issue_documents where issue_id = $1 and key = $2',
    [idOf(request), param(request, 'key')],
  );
  if (row === undefined) throw new Refusal(404, 'Document not found');
  return ok({ ...documentSummary(row), body: row.body });
}

async function writeDocument(request: ApiRequest): Promise<ApiAnswer> {
  const key = param(request, 'key');
  const [title, format, body] = [text(request, 'title'), text(request, 'format'), requiredText(request, 'body')];
  const base = text(request, 'baseRevisionId');
  return changeIssue(request, async (sql, issue) => {
    const [present] = await sql.query<DocumentRow>('select * from issue_documents where issue_id = $1 and key = $2', [
      issue.id,
      key,
    ]);
    if ((present?.latest_revision_id ?? null) !== base) {
      throw new Refusal(409, `document ${key} has another latest revision than ${base ?? 'none'}`);
    }
    const { actor } = request;
    const values = [title, format, body, randomUUID(), actor.runId];
    const row =
      present === undefined
        ? await oneRow<DocumentRow>(
            sql,
            `insert into issue_documents (title, format, body, latest_revision_id, updated_by_run_id, company_id, issue_id, key)
             values ($1, $2, $3, $4, $5, $6, $7, $8) returning *`,
            [...values, issue.company_id, issue.id, key],
          )
        : await oneRow<DocumentRow>(
            sql,
            `update issue_documents set title = $1, format = $2, body = $3, latest_revision_id = $4, updated_by_run_id = $5,
               latest_revision_number = latest_revision_number + 1, updated_at = now() where id = $6 returning *`,
            [...values, present.id],
          );
    const about = { companyId: issue.company_id, actor, issueId: issue.id };
    await logActivity(sql, { ...about, action: 'issue.document_written', details: { key, documentId: row.id } });
    const view = { ...documentSummary(row), body };
    return present === undefined ? created(view) : ok(view);
  });
}

/** All of it but the text. */
export function documentSummary(row: DocumentRow): object {
  return {
    id: row.id,
    issueId: row.issue_id,
    key: row.key,
    title: row.title,
    format: row.format,
    latestRevisionId: row.latest_revision_id,
    latestRevisionNumber: row.latest_revision_number,
    updatedAt: row.updated_at,
  };
}
