/** The shapes of what is taken of a task beside its events: every field that the rules read, and room for more. */
import { z } from 'zod';
import { snapshotMoments, type Manifest, type OracleEvidence, type Sweep } from '../model/evidence.ts';
import type { TaskTruth } from '../model/truth.ts';
import { processShape } from './fault-shapes.ts';

const schema = z.literal(1);
const text = z.string();
const textOrNull = text.nullable();
const number = z.number();
const numberOrNull = number.nullable();

const rowShape = z.object({
  id: text,
  issueId: textOrNull,
  runId: textOrNull,
  status: text,
  createdAt: text,
  note: textOrNull,
});

export const truthShape: z.ZodType<TaskTruth> = z.object({
  schema,
  issues: z.array(
    z.object({
      id: text,
      status: text,
      parentId: textOrNull,
      checkoutRunId: textOrNull,
      executionRunId: textOrNull,
      executionLockedAt: textOrNull,
      updatedAt: text,
    }),
  ),
  runs: z.array(
    z.object({
      id: text,
      issueId: textOrNull,
      agentId: text,
      status: text,
      errorCode: textOrNull,
      createdAt: text,
      startedAt: textOrNull,
      finishedAt: textOrNull,
      updatedAt: text,
      retryOfRunId: textOrNull,
      scheduledRetryAt: textOrNull,
      wakeupRequestId: textOrNull,
      wakeReason: textOrNull,
      wakeCommentIds: z.array(text),
      processPid: numberOrNull,
      processGroupId: numberOrNull,
      controllerLeaseExpiresAt: textOrNull,
      outputSeq: numberOrNull,
      lastOutputAt: textOrNull,
    }),
  ),
  wakes: z.array(
    z.object({
      id: text,
      issueId: textOrNull,
      agentId: text,
      status: text,
      reason: textOrNull,
      runId: textOrNull,
      requestedAt: text,
      claimedAt: textOrNull,
      finishedAt: textOrNull,
    }),
  ),
  leases: z.array(rowShape),
  operations: z.array(rowShape),
  recoveryActions: z.array(rowShape),
  agents: z.array(z.object({ id: text, status: text, pauseReason: textOrNull })),
  durables: z.array(
    z.object({
      kind: z.enum(['comment', 'document', 'attachment', 'subtask', 'approval', 'interaction']),
      id: text,
      hash: textOrNull,
      label: text,
    }),
  ),
});

export const manifestShape: z.ZodType<Manifest> = z.object({
  schema,
  moment: z.enum(snapshotMoments),
  root: text,
  takenAtMs: number,
  files: z.array(z.object({ path: text, kind: z.enum(['file', 'symlink', 'other']), bytes: number, sha256: text })),
});

export const sweepShape: z.ZodType<Sweep> = z.object({
  schema,
  takenAtMs: number,
  leftovers: z.array(
    z.object({
      kind: z.enum(['run', 'wake', 'lease', 'operation', 'lock', 'recovery_action', 'agent', 'process']),
      id: text,
      note: text,
    }),
  ),
  errors: z.array(z.object({ read: text, error: text })),
  processesChecked: z.array(processShape),
});

export const oracleShape: z.ZodType<OracleEvidence> = z.object({
  schema,
  worktree: textOrNull,
  commands: z.record(
    text,
    z.object({
      argv: z.array(text),
      sandbox: z.enum(['bubblewrap', 'seatbelt', 'none']),
      exitCode: numberOrNull,
      signal: textOrNull,
      outcome: z.enum(['exited', 'timed_out', 'output_limit', 'memory_limit', 'refused']),
      durationMs: number,
      output: text,
    }),
  ),
  files: z.record(text, z.object({ sha256: text, text }).nullable()),
  originals: z.record(text, text),
  bench: z
    .object({
      progress: z.array(z.object({ atMs: number, value: number, valid: z.boolean() })),
      record: z.object({ value: number, startedAtMs: number, endedAtMs: number, valid: z.boolean() }).nullable(),
    })
    .nullable(),
  errors: z.array(text),
});
