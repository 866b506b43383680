/**
 * The answers of the published plane that the harness reads, and how they become views. Pure. A key that a rule
 * depends on must be there, even when it is null: were it optional, a plane that lost it would look healthy.
 */
import { z } from 'zod';
import type { CommentView, DocumentView, IssueView, RunView } from '../../model/view.ts';
import type { RunDetail } from '../dialect.ts';
import { isTerminalRunStatus } from '../../model/view.ts';

const text = z.string();
const textOrNull = z.string().nullable();

const documentSummary = z.object({ key: text, latestRevisionId: textOrNull, updatedAt: text });

export const issueShape = z.object({
  id: text,
  identifier: text,
  status: text,
  assigneeAgentId: textOrNull,
  parentId: textOrNull,
  checkoutRunId: textOrNull,
  executionRunId: textOrNull,
  blockedBy: z.array(z.object({ id: text, status: text })),
  executionBlocker: z
    .object({ cause: text, runId: textOrNull, recoveryActionId: textOrNull, nextAction: textOrNull })
    .nullable(),
  activeRecoveryAction: z.object({ id: text, status: text, ownerType: textOrNull, cause: textOrNull }).nullable(),
  scheduledRetry: z.object({ runId: textOrNull, scheduledRetryAt: textOrNull }).nullable(),
  currentExecutionWorkspace: z.object({ cwd: textOrNull }).nullish(),
  documentSummaries: z.array(documentSummary),
  updatedAt: text,
});
export type IssueAnswer = z.infer<typeof issueShape>;

export const runsShape = z.array(
  z.object({
    runId: text,
    status: text,
    errorCode: textOrNull,
    createdAt: text,
    startedAt: textOrNull,
    finishedAt: textOrNull,
    retryOfRunId: textOrNull,
    scheduledRetryAt: textOrNull,
    contextIssueId: textOrNull,
    wakeCommentIds: z.array(text).nullable(),
    wakeCommentId: textOrNull,
    contextCommentId: textOrNull,
    resultJson: z.object({ stopReason: z.string().nullish() }).nullish(),
    execution: z.object({ phase: text, successorRunId: textOrNull }),
    environmentLease: z.object({ status: text }).nullish(),
  }),
);
export type RunsAnswer = z.infer<typeof runsShape>;

export const runDetailShape = z.object({
  status: text,
  lastOutputSeq: z.number().nullable(),
  lastOutputAt: textOrNull,
  contextSnapshot: z
    .object({
      wakeReason: z.string().nullish(),
      wakeCommentIds: z.array(text).nullish(),
      wakeCommentId: z.string().nullish(),
      commentId: z.string().nullish(),
      paperclipWake: z.object({ commentIds: z.array(text).nullish() }).nullish(),
    })
    .nullable(),
});

export const commentsShape = z.array(
  z.object({
    id: text,
    authorType: text,
    createdByRunId: textOrNull,
    body: text,
    createdAt: text,
    presentation: z.object({ kind: z.string().nullish() }).nullish(),
  }),
);

export const documentsShape = z.array(
  z.object({ key: text, latestRevisionNumber: z.number(), body: text, updatedAt: text }),
);

export function issueView(issue: IssueAnswer): IssueView {
  const { scheduledRetry, currentExecutionWorkspace, documentSummaries: _summaries, ...same } = issue;
  return {
    ...same,
    scheduledRetry:
      scheduledRetry === null ? null : { runId: scheduledRetry.runId, dueAt: scheduledRetry.scheduledRetryAt },
    workspaceCwd: currentExecutionWorkspace?.cwd ?? null,
  };
}

/** Equal for two answers exactly when no document was written between them. */
export function documentsKey(issue: IssueAnswer): string {
  return issue.documentSummaries
    .map(({ key, latestRevisionId, updatedAt }) => `${key} ${latestRevisionId} ${updatedAt}`)
    .sort()
    .join('\n');
}

/** The plane also lists runs of other issues that touched this one; those are not runs of the task. */
export function runsOfIssue(runs: RunsAnswer, issueId: string): RunsAnswer {
  return runs.filter((run) => run.contextIssueId === null || run.contextIssueId === issueId);
}

export function runView(run: RunsAnswer[number], detail: RunDetail | undefined): RunView {
  const given = [...(run.wakeCommentIds ?? []), run.wakeCommentId, run.contextCommentId];
  return {
    id: run.runId,
    status: run.status,
    errorCode: run.errorCode,
    stopReason: run.resultJson?.stopReason ?? null,
    createdAt: run.createdAt,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    retryOfRunId: run.retryOfRunId,
    scheduledRetryAt: run.scheduledRetryAt,
    wakeReason: detail?.wakeReason ?? null,
    wakeCommentIds: distinct([...given, ...(detail?.wakeCommentIds ?? [])]),
    phase: run.execution.phase,
    successorRunId: run.execution.successorRunId,
    leaseStatus: run.environmentLease?.status ?? null,
    outputSeq: detail?.outputSeq ?? null,
    lastOutputAt: detail?.lastOutputAt ?? null,
  };
}

export function runDetail(answer: z.infer<typeof runDetailShape>): RunDetail {
  const context = answer.contextSnapshot;
  return {
    final: isTerminalRunStatus(answer.status),
    wakeReason: context?.wakeReason ?? null,
    wakeCommentIds: distinct([
      ...(context?.wakeCommentIds ?? []),
      context?.wakeCommentId,
      context?.commentId,
      ...(context?.paperclipWake?.commentIds ?? []),
    ]),
    outputSeq: answer.lastOutputSeq,
    lastOutputAt: answer.lastOutputAt,
  };
}

/** A notice that the plane writes in an agent's name ("Workspace Ready") is not the agent's word. */
export function commentView(comment: z.infer<typeof commentsShape>[number]): CommentView {
  const { presentation, authorType, ...same } = comment;
  return { ...same, authorType: presentation?.kind === 'system_notice' ? 'system' : authorType };
}

export function documentView(document: z.infer<typeof documentsShape>[number]): DocumentView {
  const { latestRevisionNumber, ...same } = document;
  return { ...same, revision: latestRevisionNumber };
}

function distinct(ids: readonly (string | null | undefined)[]): string[] {
  return [...new Set(ids.filter((id): id is string => typeof id === 'string'))];
}
