/**
 * The dialect of the published plane 2026.916.1: Retry is a wake that names the failed run, readiness is a phase in
 * GET /api/health, and nothing lists stalled subtasks.
 *
 * Reading is in paperclip-2026-09-read.ts, Retry in paperclip-2026-09-retry.ts.
 * Trap: a 2xx can be a refusal here, and GET /ready (without /api) is 200 with the user interface's HTML.
 */
import { z } from 'zod';
import { type BoardClient, describeAnswer } from '../client.ts';
import type { CommentOutcome, CommentRequest, Dialect, DialectProbes, StopOutcome } from '../dialect.ts';
import { readTask } from './paperclip-2026-09-read.ts';
import { clickRetry, retryOffer } from './paperclip-2026-09-retry.ts';
import { shapeProblems } from './shape-problems.ts';

export const paperclip202609: Dialect = {
  id: 'paperclip-2026-09',
  canShow: {
    readyEndpoint: false,
    executionBlocker: true,
    retryOffer: true,
    runOutput: true,
    wakeComments: true,
    stalledDependencies: false,
  },
  mismatch,
  readTask,
  retryOffer,
  retry: clickRetry,
  stop,
  comment,
  readStatus,
};

const healthShape = z.object({ status: z.string(), startupRecovery: z.object({ phase: z.string() }) });

function mismatch({ health, ready }: DialectProbes): string | null {
  if (health.outcome !== 'ok') return 'GET /api/health did not answer 200 with JSON';
  const shape = healthShape.safeParse(health.json);
  if (!shape.success) return `the health answer differs: ${shapeProblems(shape.error)}`;
  if (ready.outcome === 'ok') return 'GET /api/ready exists, which this version does not have';
  if (ready.httpStatus === 404 || ready.outcome === 'not_json') return null;
  return 'GET /api/ready answered neither 404 nor HTML';
}

async function stop(client: BoardClient, runId: string): Promise<StopOutcome> {
  const answer = await client.request('POST', `/api/heartbeat-runs/${runId}/cancel`, {});
  const { httpStatus } = answer;
  if (httpStatus === null) return { accepted: null, httpStatus, error: describeAnswer(answer) };
  const accepted = answer.outcome === 'ok';
  return { accepted, httpStatus, error: accepted ? null : describeAnswer(answer) };
}

const createdComment = z.object({ id: z.string() });

async function comment(client: BoardClient, request: CommentRequest): Promise<CommentOutcome> {
  const { issueId, body, clientRequestId } = request;
  const answer = await client.request('POST', `/api/issues/${issueId}/comments`, { body, clientRequestId });
  const created = createdComment.safeParse(answer.json);
  if (answer.outcome === 'ok' && created.success) {
    return { commentId: created.data.id, httpStatus: answer.httpStatus, error: null };
  }
  return { commentId: null, httpStatus: answer.httpStatus, error: describeAnswer(answer) };
}

const issueStatus = z.object({ status: z.string() });

async function readStatus(
  client: BoardClient,
  issueId: string,
): Promise<{ readonly status: string | null; readonly error: string | null }> {
  const answer = await client.request('GET', `/api/issues/${issueId}`);
  const issue = issueStatus.safeParse(answer.json);
  if (answer.outcome === 'ok' && issue.success) return { status: issue.data.status, error: null };
  return { status: null, error: describeAnswer(answer) };
}
