/** What a route is given, and what it answers. */
import type { Sql } from '../database/database.ts';
import type { Plane } from '../plane.ts';
import { lockIssue, type IssueRow } from '../work/rows.ts';
import type { Actor } from '../work/activity.ts';

export interface ApiRequest {
  readonly plane: Plane;
  /** Parts of the path that the route names with a colon. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed body; an empty object when there was none. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly actor: Actor;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface Route {
  readonly method: string;
  /** `/api/issues/:id/comments`. */
  readonly path: string;
  readonly act: (request: ApiRequest) => Promise<ApiAnswer>;
}

/** Ends a request with an answer that is not a success. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
  }
}

export const ok = (body: unknown): ApiAnswer => ({ status: 200, body });
export const created = (body: unknown): ApiAnswer => ({ status: 201, body });

/** The part of the path with this name. */
export function param({ params }: ApiRequest, name: string): string {
  return params[name] ?? '';
}

/** A text of the body; null when it is missing or something else. */
export function text({ body }: ApiRequest, name: string): string | null {
  const value = body[name];
  return typeof value === 'string' ? value : null;
}

export function requiredText(request: ApiRequest, name: string): string {
  const value = text(request, name);
  if (value !== null) return value;
  throw new Refusal(422, `the body has no text "${name}"`);
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Refuses with 404 what cannot be an id, before the database does. */
export function idOf(request: ApiRequest, name = 'id'): string {
  const id = param(request, name);
  if (uuid.test(id)) return id;
  throw new Refusal(404, `there is nothing with the id "${id}"`);
}

/**
 * One change of an issue, alone and whole. What an agent writes is taken while its run is running and refused from the
 * moment it is over, in the same transaction: a late write of a run that was given up changes nothing.
 */
export async function changeIssue<T>(request: ApiRequest, act: (sql: Sql, issue: IssueRow) => Promise<T>): Promise<T> {
  const { plane, actor } = request;
  const id = idOf(request);
  const result = await plane.database.transaction(async (sql) => {
    const issue = await lockIssue(sql, id);
    if (issue === null) throw new Refusal(404, `there is no issue ${id}`);
    await refuseLateWrite(sql, actor);
    return act(sql, issue);
  });
  plane.poke();
  return result;
}

async function refuseLateWrite(sql: Sql, { runId }: Actor): Promise<void> {
  if (runId === null) return;
  const [run] = await sql.query<{ status: string }>('select status from heartbeat_runs where id = $1 for share', [
    runId,
  ]);
  if (run?.status === 'running') return;
  throw new Refusal(403, `run ${runId} is ${run?.status ?? 'not known'}: it may not write any more`);
}
