/**
 * Where the published plane's user interface shows the button "Retry", and what a click on it does.
 *
 * Only that: the user interface also shows it for a failed run whose automatic retry is already on its way (the plane
 * never fills `successorRunId` for such a run), so whether a click is needed is for the one who clicks to decide.
 * Trap: a 202 whose body has `status: "skipped"` is a refusal.
 */
import { z } from 'zod';
import type { RetryAnswer, RetryOffer, RunView, TaskView } from '../../model/view.ts';
import { type BoardAnswer, type BoardClient, describeAnswer } from '../client.ts';
import type { RetryClick, RetryOutcome } from '../dialect.ts';

/** The banner of the task page when it has the button, else the page of the newest run that has it, else null. */
export function retryOffer(view: TaskView): RetryOffer | null {
  const blocker = view.issue.executionBlocker;
  const blocked = blocker === null ? undefined : view.runs.find((run) => run.id === blocker.runId);
  if (blocked !== undefined && hasFailed(blocked)) return { place: 'banner', runId: blocked.id };
  const offering = view.runs.findLast(
    (run) => hasFailed(run) && run.phase !== 'recovery_needed' && run.successorRunId === null,
  );
  return offering === undefined ? null : { place: 'run', runId: offering.id };
}

/** Sends what the button sends. The plane answers a second click on the same run with the same new run. */
export async function clickRetry(client: BoardClient, click: RetryClick): Promise<RetryOutcome> {
  const answer = await client.request('POST', `/api/agents/${click.agentId}/wakeup`, {
    source: 'on_demand',
    triggerDetail: 'manual',
    reason: 'retry_failed_run',
    failedRunId: click.offer.runId,
  });
  const { httpStatus } = answer;
  if (httpStatus === null) return { answer: null, error: describeAnswer(answer) };
  return { answer: retryAnswer(answer, httpStatus), error: null };
}

function hasFailed(run: RunView): boolean {
  return run.status === 'failed' || run.status === 'timed_out';
}

const wokenRun = z.object({ id: z.string(), status: z.string() });
const skipped = z.object({ status: z.literal('skipped'), reason: z.string() });
const refusal = z.object({ error: z.string() });

function retryAnswer(answer: BoardAnswer, httpStatus: number): RetryAnswer {
  const refused = { accepted: false, httpStatus, runId: null };
  const skip = skipped.safeParse(answer.json);
  if (skip.success) return { ...refused, reason: skip.data.reason };
  const run = wokenRun.safeParse(answer.json);
  if (answer.outcome === 'ok' && run.success) return { accepted: true, httpStatus, runId: run.data.id, reason: null };
  const said = refusal.safeParse(answer.json);
  return { ...refused, reason: said.success ? said.data.error : answer.text.slice(0, 200) };
}
