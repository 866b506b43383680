/** SQL for the rows that hold something of a task: environment leases, workspace operations, recovery actions. */
import { operationIssueId, ownsLease, ownsOperation, ownsRecoveryAction } from './truth-scope.ts';

export const leaseRows = `
  select json_build_object(
    'id', lease.id, 'issueId', lease.issue_id, 'runId', lease.heartbeat_run_id, 'status', lease.status,
    'createdAt', lease.created_at,
    'note', concat_ws(', ', 'policy ' || lease.lease_policy, 'cleanup ' || lease.cleanup_status, lease.failure_reason)
  ) as row, lease.created_at as at
  from environment_leases lease where ${ownsLease}`;

export const operationRows = `
  select json_build_object(
    'id', operation.id, 'issueId', ${operationIssueId}, 'runId', operation.heartbeat_run_id,
    'status', operation.status, 'createdAt', operation.created_at, 'note', 'phase ' || operation.phase
  ) as row, operation.created_at as at
  from workspace_operations operation where ${ownsOperation}`;

export const recoveryActionRows = `
  select json_build_object(
    'id', action.id, 'issueId', action.source_issue_id, 'runId', action.evidence ->> 'runId',
    'status', action.status, 'createdAt', action.created_at,
    'note', concat_ws(', ', action.kind, 'cause ' || action.cause, 'owner ' || action.owner_type, 'outcome ' || action.outcome)
  ) as row, action.created_at as at
  from issue_recovery_actions action where ${ownsRecoveryAction}`;
