/** The shapes of what a board user sees, as it lies in the events: every field that the rules read, and room for more. */
import { z } from 'zod';
import type { CommentView, DocumentView, IssueView, RetryAnswer, RetryOffer, RunView } from '../model/view.ts';

const text = z.string();
const textOrNull = z.string().nullable();

export const issueShape: z.ZodType<IssueView> = z.object({
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
  scheduledRetry: z.object({ runId: textOrNull, dueAt: textOrNull }).nullable(),
  workspaceCwd: textOrNull,
  updatedAt: text,
});

export const runShape: z.ZodType<RunView> = z.object({
  id: text,
  status: text,
  errorCode: textOrNull,
  stopReason: textOrNull,
  createdAt: text,
  startedAt: textOrNull,
  finishedAt: textOrNull,
  retryOfRunId: textOrNull,
  scheduledRetryAt: textOrNull,
  wakeReason: textOrNull,
  wakeCommentIds: z.array(text),
  phase: textOrNull,
  successorRunId: textOrNull,
  leaseStatus: textOrNull,
  outputSeq: z.number().nullable(),
  lastOutputAt: textOrNull,
});

export const commentShape: z.ZodType<CommentView> = z.object({
  id: text,
  authorType: text,
  createdByRunId: textOrNull,
  body: text,
  createdAt: text,
});

export const documentShape: z.ZodType<DocumentView> = z.object({
  key: text,
  revision: z.number(),
  body: text,
  updatedAt: text,
});

export const offerShape: z.ZodType<RetryOffer> = z.object({ place: z.enum(['banner', 'run']), runId: text });

export const answerShape: z.ZodType<RetryAnswer> = z.object({
  accepted: z.boolean(),
  httpStatus: z.number(),
  runId: textOrNull,
  reason: textOrNull,
});
