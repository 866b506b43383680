/** A run as the board sees it. Pure: from the row alone. */
import type { RunContext } from '../work/rows.ts';
import { retryLimit } from '../settings.ts';

export interface RunViewRow {
  readonly id: string;
  readonly agent_id: string;
  readonly adapter_type: string;
  readonly status: string;
  readonly invocation_source: string;
  readonly context_snapshot: RunContext;
  readonly error_code: string | null;
  readonly exit_code: number | null;
  readonly result_json: object | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
  readonly updated_at: Date;
  readonly retry_of_run_id: string | null;
  readonly scheduled_retry_at: Date | null;
  readonly scheduled_retry_attempt: number;
  readonly process_pid: number | null;
  readonly process_group_id: number | null;
  readonly controller_boot_id: string | null;
  readonly controller_lease_expires_at: Date | null;
  readonly last_output_seq: number;
  readonly last_output_at: Date | null;
  readonly successor_id: string | null;
  readonly lease_status: string | null;
}

const phases: Readonly<Record<string, string>> = {
  queued: 'queued',
  scheduled_retry: 'retry_scheduled',
  running: 'working',
  succeeded: 'completed',
  cancelled: 'completed',
};

/** An entry of the issue's list of runs. */
export function runOfIssueView(run: RunViewRow): object {
  const context = run.context_snapshot;
  return {
    runId: run.id,
    status: run.status,
    agentId: run.agent_id,
    adapterType: run.adapter_type,
    invocationSource: run.invocation_source,
    errorCode: run.error_code,
    resultJson: run.result_json,
    createdAt: run.created_at,
    startedAt: run.started_at,
    finishedAt: run.finished_at,
    retryOfRunId: run.retry_of_run_id,
    scheduledRetryAt: run.scheduled_retry_at,
    scheduledRetryAttempt: run.scheduled_retry_attempt,
    contextIssueId: context.issueId,
    wakeCommentIds: context.wakeCommentIds,
    wakeCommentId: context.wakeCommentId,
    contextCommentId: context.commentId,
    execution: {
      phase: phases[run.status] ?? 'failed',
      retryAt: run.scheduled_retry_at,
      attempt: run.scheduled_retry_attempt + 1,
      maxAttempts: retryLimit + 1,
      predecessorRunId: run.retry_of_run_id,
      successorRunId: run.successor_id,
    },
    environmentLease: run.lease_status === null ? null : { status: run.lease_status },
  };
}

/** The run alone, with what it was given. */
export function runDetailView(run: RunViewRow): object {
  return {
    id: run.id,
    status: run.status,
    agentId: run.agent_id,
    errorCode: run.error_code,
    exitCode: run.exit_code,
    createdAt: run.created_at,
    startedAt: run.started_at,
    finishedAt: run.finished_at,
    updatedAt: run.updated_at,
    retryOfRunId: run.retry_of_run_id,
    processPid: run.process_pid,
    processGroupId: run.process_group_id,
    controllerBootId: run.controller_boot_id,
    controllerLeaseExpiresAt: run.controller_lease_expires_at,
    lastOutputSeq: run.last_output_seq,
    lastOutputAt: run.last_output_at,
    contextSnapshot: run.context_snapshot,
  };
}
