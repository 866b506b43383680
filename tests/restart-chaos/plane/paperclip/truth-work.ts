/** SQL for the rows that say what runs: issues, runs, wakes and agents of a task. Each is one JSON array. */
import { runIssueId, wakeIssueId } from './truth-scope.ts';

export const issueRows = `
  select json_build_object(
    'id', issue.id, 'status', issue.status, 'parentId', issue.parent_id,
    'checkoutRunId', issue.checkout_run_id, 'executionRunId', issue.execution_run_id,
    'executionLockedAt', issue.execution_locked_at, 'updatedAt', issue.updated_at
  ) as row, issue.created_at as at
  from issues issue where issue.id in (select id from family)`;

export const runRows = `
  select json_build_object(
    'id', run.id, 'issueId', ${runIssueId}, 'agentId', run.agent_id, 'status', run.status,
    'errorCode', run.error_code, 'createdAt', run.created_at, 'startedAt', run.started_at,
    'finishedAt', run.finished_at, 'updatedAt', run.updated_at, 'retryOfRunId', run.retry_of_run_id,
    'scheduledRetryAt', newer.row ->> 'scheduled_retry_at', 'wakeupRequestId', run.wakeup_request_id,
    'wakeReason', run.context_snapshot ->> 'wakeReason',
    'wakeComments', json_build_array(
      run.context_snapshot -> 'wakeCommentIds', run.context_snapshot -> 'wakeCommentId', run.context_snapshot -> 'commentId'),
    'processPid', (newer.row ->> 'process_pid')::int, 'processGroupId', (newer.row ->> 'process_group_id')::int,
    'controllerLeaseExpiresAt', newer.row ->> 'controller_lease_expires_at',
    'outputSeq', (newer.row ->> 'last_output_seq')::int, 'lastOutputAt', newer.row ->> 'last_output_at'
  ) as row, run.created_at as at
  from heartbeat_runs run
  cross join lateral (select to_jsonb(run) - 'result_json' - 'context_snapshot' as row) newer
  where run.id in (select id from owned_runs)`;

export const wakeRows = `
  select json_build_object(
    'id', wake.id, 'issueId', ${wakeIssueId}, 'agentId', wake.agent_id, 'status', wake.status,
    'reason', wake.reason, 'runId', wake.run_id, 'requestedAt', wake.requested_at,
    'claimedAt', wake.claimed_at, 'finishedAt', wake.finished_at
  ) as row, wake.requested_at as at
  from agent_wakeup_requests wake where wake.id in (select id from owned_wakes)`;

export const agentRows = `
  select json_build_object('id', agent.id, 'status', agent.status, 'pauseReason', agent.pause_reason) as row,
    agent.created_at as at
  from agents agent
  where agent.id in (select id from owned_agents)
    or agent.id in (select agent_id from heartbeat_runs where id in (select id from owned_runs))`;
