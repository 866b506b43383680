/** Runs: those of an issue, one with its context, and Stop. */
import { orderStop } from '../work/stop.ts';
import { idOf, ok, Refusal, type ApiAnswer, type ApiRequest, type Route } from './request.ts';
import { runDetailView, runOfIssueView, type RunViewRow } from './run-view.ts';

export const runRoutes: readonly Route[] = [
  { method: 'GET', path: '/api/issues/:id/runs', act: listRuns },
  { method: 'GET', path: '/api/heartbeat-runs/:id', act: showRun },
  { method: 'POST', path: '/api/heartbeat-runs/:id/cancel', act: stopRun },
];

/** The run that did it again, and the lease it had. */
const withNeighbours = `select run.*, agent.adapter_type,
    (select next.id from heartbeat_runs next where next.retry_of_run_id = run.id order by next.created_at limit 1) as successor_id,
    (select lease.status from environment_leases lease where lease.heartbeat_run_id = run.id limit 1) as lease_status
  from heartbeat_runs run join agents agent on agent.id = run.agent_id`;

async function listRuns(request: ApiRequest): Promise<ApiAnswer> {
  const runs = await request.plane.database.query<RunViewRow>(
    `${withNeighbours} where run.context_snapshot ->> 'issueId' = $1 order by run.created_at desc, run.id`,
    [idOf(request)],
  );
  return ok(runs.map(runOfIssueView));
}

async function showRun(request: ApiRequest): Promise<ApiAnswer> {
  const [run] = await request.plane.database.query<RunViewRow>(`${withNeighbours} where run.id = $1`, [idOf(request)]);
  if (run === undefined) throw new Refusal(404, 'Run not found');
  return ok(runDetailView(run));
}

async function stopRun(request: ApiRequest): Promise<ApiAnswer> {
  if (request.actor.type !== 'user') throw new Refusal(403, 'only the board stops runs');
  const isStopped = await orderStop(request.plane, idOf(request));
  if (!isStopped) throw new Refusal(409, 'The run is not there, or it is over.');
  return showRun(request);
}
