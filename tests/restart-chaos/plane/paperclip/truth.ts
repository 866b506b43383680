/**
 * Reads what the plane's own database says about a task. One statement, so that all of it is from one moment: rows
 * read one table after the other would show locks of runs that had just ended.
 *
 * Only reads. Trap: a row of a table can belong to a task in several ways; truth-scope.ts decides, once for all.
 */
import { z } from 'zod';
import { HarnessError } from '../../model/errors.ts';
import type { TaskTruth } from '../../model/truth.ts';
import { durableRows } from './truth-durables.ts';
import { leaseRows, operationRows, recoveryActionRows } from './truth-holds.ts';
import { scope } from './truth-scope.ts';
import { agentRows, issueRows, runRows, wakeRows } from './truth-work.ts';

export { readCompanyLeftovers } from './company-leftovers.ts';
export { isSettled, leftoversOf } from './leftovers.ts';

/** A connection to the plane's database; postgres/query.ts makes one. */
export interface RowReader {
  query<Row extends object>(sql: string, parameters: readonly unknown[]): Promise<readonly Row[]>;
}

/**
 * Rows of these issues and of all below them, oldest first; timestamps as ISO 8601 in UTC. Throws HarnessError
 * `evidence-unreadable` when an issue does not exist or the rows do not have the form known here, and whatever the
 * connection throws.
 */
export async function readTaskTruth(connection: RowReader, issueIds: readonly string[]): Promise<TaskTruth> {
  const rows = await connection.query<{ truth: unknown }>(statement, [[...issueIds], []]);
  const read = truthSchema.safeParse(rows[0]?.truth);
  if (!read.success) {
    const first = read.error.issues[0];
    throw new HarnessError(
      'evidence-unreadable',
      `the plane's rows of issue ${issueIds.join(', ')} are not as known: ${first?.path.join('.')} ${first?.message}. Another release of the plane? plane/paperclip/truth.ts says what is read.`,
    );
  }
  const missing = issueIds.filter((id) => !read.data.issues.some((issue) => issue.id === id));
  if (missing.length > 0) {
    throw new HarnessError('evidence-unreadable', `the plane's database has no issue ${missing.join(', ')}`);
  }
  return { schema: 1, ...read.data };
}

const families = {
  issues: issueRows,
  runs: runRows,
  wakes: wakeRows,
  leases: leaseRows,
  operations: operationRows,
  recoveryActions: recoveryActionRows,
  agents: agentRows,
  durables: durableRows,
} as const;

const statement = `${scope} select json_build_object(${Object.entries(families)
  .map(
    ([name, rows]) => `'${name}', (select coalesce(json_agg(row order by at, row ->> 'id'), '[]') from (${rows}) rows)`,
  )
  .join(',\n')}) as truth`;

const id = z.string();
const text = z.string().nullable();
/** Postgres gives microseconds and the session's offset; records and the plane's API have milliseconds in UTC. */
const moment = z.string().transform((value, context) => {
  const date = new Date(value);
  if (!Number.isNaN(date.getTime())) return date.toISOString();
  context.addIssue(`is no time: ${value}`);
  return z.NEVER;
});

const runSchema = z
  .object({
    id,
    issueId: text,
    agentId: id,
    status: z.string(),
    errorCode: text,
    createdAt: moment,
    startedAt: moment.nullable(),
    finishedAt: moment.nullable(),
    updatedAt: moment,
    retryOfRunId: text,
    scheduledRetryAt: moment.nullable(),
    wakeupRequestId: text,
    wakeReason: text,
    /** The list of comments and the two single ones: which of them are set depends on how the wake came to be. */
    wakeComments: z.array(z.unknown()),
    processPid: z.number().nullable(),
    processGroupId: z.number().nullable(),
    controllerLeaseExpiresAt: moment.nullable(),
    outputSeq: z.number().nullable(),
    lastOutputAt: moment.nullable(),
  })
  .transform(({ wakeComments, ...run }) => ({
    ...run,
    wakeCommentIds: [...new Set(wakeComments.flat().filter((value): value is string => typeof value === 'string'))],
  }));

const holdSchema = z.object({
  id,
  issueId: text,
  runId: text,
  status: z.string(),
  createdAt: moment,
  note: text,
});

const truthSchema = z.object({
  issues: z.array(
    z.object({
      id,
      status: z.string(),
      parentId: text,
      checkoutRunId: text,
      executionRunId: text,
      executionLockedAt: moment.nullable(),
      updatedAt: moment,
    }),
  ),
  runs: z.array(runSchema),
  wakes: z.array(
    z.object({
      id,
      issueId: text,
      agentId: id,
      status: z.string(),
      reason: text,
      runId: text,
      requestedAt: moment,
      claimedAt: moment.nullable(),
      finishedAt: moment.nullable(),
    }),
  ),
  leases: z.array(holdSchema),
  operations: z.array(holdSchema),
  recoveryActions: z.array(holdSchema),
  agents: z.array(z.object({ id, status: z.string(), pauseReason: text })),
  durables: z.array(
    z.object({
      kind: z.enum(['comment', 'document', 'attachment', 'subtask', 'approval', 'interaction']),
      id,
      hash: text,
      label: z.string(),
    }),
  ),
});
