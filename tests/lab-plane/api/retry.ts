/**
 * The board's Retry, in both dialects: by issue, and by a wake of the agent that names the failed run. What it promises
 * is a run, so it is accepted only together with one; a second click gets the run that the first one made.
 */
import { oneRow, type Sql } from '../database/database.ts';
import { beginRun } from '../work/queue.ts';
import { resolveActions } from '../work/recovery-action.ts';
import { lockRun, openRunOf, type IssueRow, type RunRow } from '../work/rows.ts';
import type { Actor } from '../work/activity.ts';
import { idOf, Refusal, text, type ApiAnswer, type ApiRequest, type Route } from './request.ts';

export const retryRoutes: readonly Route[] = [
  { method: 'POST', path: '/api/issues/:id/retry', act: retryIssue },
  { method: 'POST', path: '/api/agents/:id/wakeup', act: wakeAgentByHand },
];

export interface RetriedRun {
  readonly run: RunRow;
  readonly issue: IssueRow;
}

/** The body may name the run as `runId`; without it the latest run of the issue is meant. */
async function retryIssue(request: ApiRequest): Promise<ApiAnswer> {
  const [latest] = await request.plane.database.query<{ id: string }>(
    "select id from heartbeat_runs where context_snapshot ->> 'issueId' = $1 order by created_at desc limit 1",
    [idOf(request)],
  );
  if (latest === undefined) throw new Refusal(409, 'The issue has no run to retry.');
  return retryRun(request, text(request, 'runId') ?? latest.id);
}

async function wakeAgentByHand(request: ApiRequest): Promise<ApiAnswer> {
  const runId = text(request, 'failedRunId');
  if (text(request, 'reason') !== 'retry_failed_run' || runId === null) {
    throw new Refusal(422, 'only the reason retry_failed_run with a failedRunId is known here');
  }
  return retryRun(request, runId);
}

async function retryRun({ plane, actor }: ApiRequest, runId: string): Promise<ApiAnswer> {
  if (actor.type !== 'user') throw new Refusal(403, 'only the board retries runs');
  const body = await plane.database.transaction(async (sql) => {
    const locked = await lockRun(sql, runId);
    if (locked === null) throw new Refusal(404, `there is no run ${runId}`);
    const { issue } = locked;
    const id = (await openRunOf(sql, issue.id))?.id ?? (await plane.steps.beginRetry(sql, locked, actor));
    return oneRow<{ id: string; status: string }>(sql, 'select id, status from heartbeat_runs where id = $1', [id]);
  });
  plane.poke();
  return { status: 202, body };
}

/** The run that a Retry promises. Refuses what has not failed. */
export async function beginRetry(sql: Sql, { run, issue }: RetriedRun, actor: Actor): Promise<string> {
  if (run.status !== 'failed' && run.status !== 'timed_out')
    throw new Refusal(409, 'Only a failed run can be retried.');
  await resolveActions(sql, issue, actor);
  const commentIds = run.context_snapshot.wakeCommentIds;
  return beginRun(sql, issue, { reason: 'retry_failed_run', actor, commentIds }, { retryOf: run });
}
