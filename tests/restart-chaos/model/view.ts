/**
 * The board view: what a board user sees through the HTTP API, in the harness's own words. Each dialect maps a
 * plane's answers into these; null means that the plane says "none", `undefined` never occurs.
 */

export interface IssueView {
  readonly id: string;
  readonly identifier: string;
  readonly status: string;
  readonly assigneeAgentId: string | null;
  readonly parentId: string | null;
  readonly checkoutRunId: string | null;
  readonly executionRunId: string | null;
  readonly blockedBy: readonly { readonly id: string; readonly status: string }[];
  /** Why execution cannot go on by itself, when the plane says so. */
  readonly executionBlocker: {
    readonly cause: string;
    readonly runId: string | null;
    readonly recoveryActionId: string | null;
    readonly nextAction: string | null;
  } | null;
  readonly activeRecoveryAction: {
    readonly id: string;
    readonly status: string;
    readonly ownerType: string | null;
    readonly cause: string | null;
  } | null;
  readonly scheduledRetry: { readonly runId: string | null; readonly dueAt: string | null } | null;
  /** Working directory the plane gave this issue, when it gives one. */
  readonly workspaceCwd: string | null;
  readonly updatedAt: string;
}

export interface RunView {
  readonly id: string;
  /** queued, scheduled_retry, running, succeeded, failed, cancelled, timed_out, interrupted */
  readonly status: string;
  readonly errorCode: string | null;
  readonly stopReason: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly retryOfRunId: string | null;
  readonly scheduledRetryAt: string | null;
  readonly wakeReason: string | null;
  /** Comments this run was woken for or was given. */
  readonly wakeCommentIds: readonly string[];
  readonly phase: string | null;
  readonly successorRunId: string | null;
  readonly leaseStatus: string | null;
  /** Grows with the agent's output; null when the plane does not say. */
  readonly outputSeq: number | null;
  readonly lastOutputAt: string | null;
}

export interface CommentView {
  readonly id: string;
  readonly authorType: string;
  readonly createdByRunId: string | null;
  readonly body: string;
  readonly createdAt: string;
}

export interface DocumentView {
  readonly key: string;
  readonly revision: number;
  readonly body: string;
  readonly updatedAt: string;
}

/** Everything one look at a task saw; a part that could not be read is null, and the poll event says why. */
export interface TaskView {
  readonly issue: IssueView;
  readonly runs: readonly RunView[];
  readonly comments: readonly CommentView[];
  readonly documents: readonly DocumentView[];
}

/** Where the board offers a Retry right now, and what a click would call. */
export interface RetryOffer {
  /** `banner`: task page; `run`: run page and inbox card. A scheduled retry's "Check now" is not a Retry. */
  readonly place: 'banner' | 'run';
  readonly runId: string;
}

/** The plane's answer to a click. A refusal can come as a 2xx: the dialect reads the body, not the status. */
export interface RetryAnswer {
  readonly accepted: boolean;
  readonly httpStatus: number;
  readonly runId: string | null;
  readonly reason: string | null;
}

const terminalRunStatuses = ['succeeded', 'failed', 'cancelled', 'timed_out', 'interrupted'];

/** Whether a run status is final by the plane's own definition. */
export function isTerminalRunStatus(status: string): boolean {
  return terminalRunStatuses.includes(status);
}

/** Whether an issue status is final: nobody is expected to act on it any more. */
export function isTerminalIssueStatus(status: string): boolean {
  return status === 'done' || status === 'cancelled';
}
