/**
 * The board's part of S1: Stop of a run at work, pressed once whatever comes of it, and later one comment that asks to
 * go on. The comment is due when the Stop is long enough ago, no run is running or queued, and no fault is in progress;
 * until then, and until the plane has accepted it, the task cannot rest.
 *
 * A comment that got no answer is sent again at a later look with the same request id, so that it is stored once.
 */
import type { Numbers } from '../model/numbers.ts';
import { clientRequestId } from './client-request-id.ts';
import { isSteerDue, type SteerLook, type SteerOptions } from './follow-up.ts';

export interface StopOptions extends SteerOptions {
  readonly numbers: Numbers;
  /** Told once, when the plane has answered a Stop: when that was, or null when it did not accept it. */
  readonly onStop: (acceptedAtMs: number | null) => void;
}

export interface StopLook extends SteerLook {
  readonly faultInProgress: boolean;
}

export interface StopFollowUp {
  /** Whether the board still has something to do to this task. */
  due(look: SteerLook): boolean;
  /** Whether the board has pressed Stop and not yet asked to go on: nothing else may be asked of the task then. */
  isStopped(): boolean;
  /** Does what is due; each answer is recorded. Never throws. One call at a time, as the looks come. */
  tend(look: StopLook): Promise<void>;
  /** When the plane last accepted something of it, on the wave's clock; null while it has not. */
  acceptedAtMs(): number | null;
}

export function createStopFollowUp(options: StopOptions): StopFollowUp {
  const { client, dialect, task, nonce, issueId, body, numbers, emit, clock, onStop } = options;
  const request = { issueId, body, clientRequestId: clientRequestId(task, nonce, 'continue') };
  let pressedAtMs: number | null = null;
  let acceptedAtMs: number | null = null;
  let isLifted = false;

  async function pressStop(runId: string): Promise<void> {
    const askedAtMs = clock.nowMs();
    pressedAtMs = askedAtMs;
    const { accepted, httpStatus, error } = await dialect.stop(client, runId);
    // The settling time runs from the answer: the plane may take seconds to end the agent.
    pressedAtMs = clock.nowMs();
    if (accepted === true) acceptedAtMs = pressedAtMs;
    emit({ kind: 'stop', task, runId, askedAtMs, accepted, httpStatus, error });
    onStop(acceptedAtMs);
  }

  async function askToContinue(): Promise<void> {
    const { commentId, httpStatus, error } = await dialect.comment(client, request);
    if (commentId !== null) {
      isLifted = true;
      acceptedAtMs = clock.nowMs();
    }
    emit({ kind: 'follow_up_sent', task, what: 'continue', commentId, httpStatus, error });
  }

  return {
    due: (look) => (pressedAtMs === null ? isSteerDue(look) : !isLifted),
    isStopped: () => pressedAtMs !== null && !isLifted,
    acceptedAtMs: () => acceptedAtMs,
    tend: async (look) => {
      if (look.faultInProgress || look.view === null || isLifted) return;
      if (pressedAtMs === null) {
        const running = look.view.runs.find(({ status }) => status === 'running');
        if (running !== undefined && isSteerDue(look)) await pressStop(running.id);
        return;
      }
      const isStill = look.view.runs.every(({ status }) => status !== 'running' && status !== 'queued');
      if (isStill && clock.nowMs() - pressedAtMs >= numbers.stopSettleMs) await askToContinue();
    },
  };
}
