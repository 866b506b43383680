/** The truth: what the plane's database rows say about one task, or about the company where no task owns a row. */

export interface TruthIssue {
  readonly id: string;
  readonly status: string;
  readonly parentId: string | null;
  readonly checkoutRunId: string | null;
  readonly executionRunId: string | null;
  readonly executionLockedAt: string | null;
  readonly updatedAt: string;
}

export interface TruthRun {
  readonly id: string;
  readonly issueId: string | null;
  readonly agentId: string;
  readonly status: string;
  readonly errorCode: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly updatedAt: string;
  readonly retryOfRunId: string | null;
  readonly scheduledRetryAt: string | null;
  readonly wakeupRequestId: string | null;
  readonly wakeReason: string | null;
  readonly wakeCommentIds: readonly string[];
  readonly processPid: number | null;
  readonly processGroupId: number | null;
  readonly controllerLeaseExpiresAt: string | null;
  readonly outputSeq: number | null;
  readonly lastOutputAt: string | null;
}

export interface TruthWake {
  readonly id: string;
  readonly issueId: string | null;
  readonly agentId: string;
  /** queued, claimed, deferred_issue_execution, coalesced, skipped, completed, failed, cancelled … */
  readonly status: string;
  readonly reason: string | null;
  readonly runId: string | null;
  readonly requestedAt: string;
  readonly claimedAt: string | null;
  readonly finishedAt: string | null;
}

export interface TruthRow {
  readonly id: string;
  readonly issueId: string | null;
  readonly runId: string | null;
  readonly status: string;
  /** The row's own timestamp that says when it came to be. */
  readonly createdAt: string;
  /** Anything else worth reading in a finding: owner, cause, phase. */
  readonly note: string | null;
}

export interface TruthAgent {
  readonly id: string;
  readonly status: string;
  readonly pauseReason: string | null;
}

export interface TruthDurable {
  readonly kind: 'comment' | 'document' | 'attachment' | 'subtask' | 'approval' | 'interaction';
  readonly id: string;
  /** Hash of what may not change: body of a comment, asset of an attachment; null where change is allowed. */
  readonly hash: string | null;
  readonly label: string;
}

/** Rows of one task (its issue, and the subtasks below it). */
export interface TaskTruth {
  readonly schema: 1;
  readonly issues: readonly TruthIssue[];
  readonly runs: readonly TruthRun[];
  readonly wakes: readonly TruthWake[];
  readonly leases: readonly TruthRow[];
  readonly operations: readonly TruthRow[];
  readonly recoveryActions: readonly TruthRow[];
  readonly agents: readonly TruthAgent[];
  readonly durables: readonly TruthDurable[];
}
