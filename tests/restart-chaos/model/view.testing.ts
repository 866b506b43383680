/** Views for tests, in which the plane says "none" to everything: a test writes only what matters to it. */
import type { CommentView, IssueView, RunView } from './view.ts';

const someTime = '2026-11-30T16:45:00.000Z';

export function plainIssue(changes: Partial<IssueView> = {}): IssueView {
  return {
    id: 'issue-1',
    identifier: 'CHA-4',
    status: 'in_progress',
    assigneeAgentId: 'agent-1',
    parentId: null,
    checkoutRunId: null,
    executionRunId: null,
    blockedBy: [],
    executionBlocker: null,
    activeRecoveryAction: null,
    scheduledRetry: null,
    workspaceCwd: null,
    updatedAt: someTime,
    ...changes,
  };
}

export function plainRun(changes: Partial<RunView> = {}): RunView {
  return {
    id: 'run-1',
    status: 'running',
    errorCode: null,
    stopReason: null,
    createdAt: someTime,
    startedAt: null,
    finishedAt: null,
    retryOfRunId: null,
    scheduledRetryAt: null,
    wakeReason: null,
    wakeCommentIds: [],
    phase: null,
    successorRunId: null,
    leaseStatus: null,
    outputSeq: null,
    lastOutputAt: null,
    ...changes,
  };
}

export function plainComment(changes: Partial<CommentView> = {}): CommentView {
  return { id: 'c1', authorType: 'agent', createdByRunId: 'run-1', body: 'x', createdAt: someTime, ...changes };
}
