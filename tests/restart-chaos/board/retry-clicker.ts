/**
 * The board user who finds a stopped task and presses Retry, once, so that the wave learns whether it works.
 *
 * A task has stopped when nothing of it runs, is queued or is about to be retried, and its issue is not finished: the
 * plane keeps showing Retry for a failed run while its automatic retry is already on its way. A refused click is not
 * repeated; one that got no answer is, once and on the same run only, because the plane answers a second click on a run
 * with the same new run.
 * Trap: the plane may still go on by itself long after it has declared a run failed; clicking before that would make its
 * own recovery look like one that needed a human. So an offer counts when it has stood in every look for longer than that.
 */
import type { Clock, Emit } from '../model/event.ts';
import type { TaskId } from '../model/ids.ts';
import type { Numbers } from '../model/numbers.ts';
import { isTerminalIssueStatus, isTerminalRunStatus, type RetryOffer, type TaskView } from '../model/view.ts';
import type { BoardClient } from './client.ts';
import type { Dialect } from './dialect.ts';

export interface RetryClickerOptions {
  readonly client: BoardClient;
  readonly dialect: Dialect;
  readonly task: TaskId;
  readonly issueId: string;
  readonly agentId: string;
  readonly numbers: Numbers;
  readonly emit: Emit;
  readonly clock: Clock;
}

export interface RetryLook {
  readonly view: TaskView | null;
  readonly faultInProgress: boolean;
}

export interface RetryClicker {
  /**
   * Takes one look into account and clicks when it is time. Never throws. One call at a time: the caller looks at its
   * task in a strict sequence, and waits for each before the next.
   */
  tend(look: RetryLook): Promise<void>;
  /** When the plane accepted the click, on the wave's clock; null while it has not. */
  acceptedAtMs(): number | null;
}

// The plane's own recovery sweeps every 15 s and starts what it finds on a scheduler tick, every 10 s (both measured);
// five seconds more for a loaded machine. At half the rest window there is still time to see what a click does.
const offerStandsMs = 30_000;
const clicksMax = 2;

export function createRetryClicker(options: RetryClickerOptions): RetryClicker {
  const { client, dialect, task, issueId, agentId, numbers, emit, clock } = options;
  const standsAfterMs = Math.min(offerStandsMs, numbers.restWindowMs / 2);
  const recorded = new Set<string>();
  let standing: { readonly offer: RetryOffer; readonly sinceMs: number } | null = null;
  let clicked: { readonly runId: string; readonly times: number; readonly answered: boolean } | null = null;
  let acceptedAtMs: number | null = null;

  const confirmedOffer = ({ view, faultInProgress }: RetryLook): RetryOffer | null => {
    const offer = view !== null && !faultInProgress && hasStopped(view) ? dialect.retryOffer(view) : null;
    const before = offer !== null && offer.runId === standing?.offer.runId ? standing : null;
    standing = offer === null ? null : { offer, sinceMs: before?.sinceMs ?? clock.nowMs() };
    return before !== null && clock.nowMs() - before.sinceMs >= standsAfterMs ? offer : null;
  };

  return {
    acceptedAtMs: () => acceptedAtMs,
    tend: async (look) => {
      const offer = confirmedOffer(look);
      if (offer === null) return;
      if (!recorded.has(offer.runId)) emit({ kind: 'retry_offered', task, offer });
      recorded.add(offer.runId);
      const mayClick = clicked === null || (!clicked.answered && clicked.runId === offer.runId);
      if (!mayClick || clicked?.times === clicksMax) return;
      const { answer, error } = await dialect.retry(client, { issueId, agentId, offer });
      clicked = { runId: offer.runId, times: (clicked?.times ?? 0) + 1, answered: answer !== null };
      if (answer?.accepted === true) acceptedAtMs = clock.nowMs();
      emit({ kind: 'retry_clicked', task, offer, answer, error });
    },
  };
}

/** Nothing of the task is on its way, and it is not finished. */
export function hasStopped({ issue, runs }: TaskView): boolean {
  if (isTerminalIssueStatus(issue.status) || issue.scheduledRetry !== null) return false;
  return runs.every((run) => isTerminalRunStatus(run.status));
}
