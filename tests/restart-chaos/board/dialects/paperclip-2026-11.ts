/**
 * The newer dialect: GET /api/ready says whether the plane is ready, Retry belongs to the issue and not to its agent, and a
 * parent lists its stalled subtasks. What a task looks like is as in paperclip-2026-09, with that list beside it.
 *
 * A refused Retry is an error status here, never a 2xx.
 */
import { z } from 'zod';
import type { BoardClient } from '../client.ts';
import { describeAnswer } from '../client.ts';
import type { Dialect, DialectProbes, RetryClick, RetryOutcome } from '../dialect.ts';
import { paperclip202609 } from './paperclip-2026-09.ts';
import { shapeProblems } from './shape-problems.ts';

export const paperclip202611: Dialect = {
  ...paperclip202609,
  id: 'paperclip-2026-11',
  canShow: { ...paperclip202609.canShow, readyEndpoint: true, stalledDependencies: true },
  mismatch,
  retry: clickRetry,
};

const readyShape = z.object({ ready: z.boolean() });

function mismatch({ ready }: DialectProbes): string | null {
  if (ready.httpStatus !== 200 && ready.httpStatus !== 503) return 'GET /api/ready answered neither 200 nor 503';
  const shape = readyShape.safeParse(ready.json);
  return shape.success ? null : `the answer of GET /api/ready differs: ${shapeProblems(shape.error)}`;
}

const acceptedRun = z.object({ id: z.string(), status: z.string() });
const refusal = z.object({ error: z.string() });

async function clickRetry(client: BoardClient, { issueId, offer }: RetryClick): Promise<RetryOutcome> {
  const answer = await client.request('POST', `/api/issues/${issueId}/retry`, { runId: offer.runId });
  const { httpStatus } = answer;
  if (httpStatus === null) return { answer: null, error: describeAnswer(answer) };
  const run = acceptedRun.safeParse(answer.json);
  if (answer.outcome === 'ok' && run.success) {
    return { answer: { accepted: true, httpStatus, runId: run.data.id, reason: null }, error: null };
  }
  const said = refusal.safeParse(answer.json);
  const reason = said.success ? said.data.error : answer.text.slice(0, 200);
  return { answer: { accepted: false, httpStatus, runId: null, reason }, error: null };
}
