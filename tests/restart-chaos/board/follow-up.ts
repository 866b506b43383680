/**
 * The board's part of C1: one comment to a working agent. It is due while a run is running that has shown activity,
 * and until the plane has accepted it.
 *
 * Each attempt is recorded; one that got no answer is made again at a later look with the same request id, so that the
 * plane stores the comment once. Trap: before the agent's process starts, the plane itself comments in the agent's
 * name; the dialect calls the author of such notices `system`, and they are no activity.
 */
import type { Clock, Emit } from '../model/event.ts';
import type { TaskId } from '../model/ids.ts';
import type { TaskView } from '../model/view.ts';
import type { BoardClient } from './client.ts';
import { clientRequestId } from './client-request-id.ts';
import type { Dialect } from './dialect.ts';

export interface SteerOptions {
  readonly client: BoardClient;
  readonly dialect: Dialect;
  readonly task: TaskId;
  readonly nonce: string;
  readonly issueId: string;
  readonly body: string;
  readonly emit: Emit;
  readonly clock: Clock;
}

export interface SteerLook {
  /** The view of this very look; null when there is none. */
  readonly view: TaskView | null;
  /** Runs of which the harness has received a beacon of activity. */
  readonly activeRunIds: ReadonlySet<string>;
}

export interface SteerFollowUp {
  /** Whether the comment should be sent now. */
  due(look: SteerLook): boolean;
  /**
   * Sends the comment when it is due; the answer of that attempt goes into `follow_up_sent`. Never throws. One call at a
   * time: the caller looks at its task in a strict sequence.
   */
  tend(look: SteerLook): Promise<void>;
  /** When the plane accepted the comment, on the wave's clock; null while it has not. */
  acceptedAtMs(): number | null;
}

export function createSteerFollowUp(options: SteerOptions): SteerFollowUp {
  const { client, dialect, task, nonce, issueId, body, emit, clock } = options;
  const request = { issueId, body, clientRequestId: clientRequestId(task, nonce, 'steer') };
  let acceptedAtMs: number | null = null;
  const due = (look: SteerLook): boolean => acceptedAtMs === null && isSteerDue(look);

  return {
    due,
    acceptedAtMs: () => acceptedAtMs,
    tend: async (look) => {
      if (!due(look)) return;
      const { commentId, httpStatus, error } = await dialect.comment(client, request);
      if (commentId !== null) acceptedAtMs = clock.nowMs();
      emit({ kind: 'follow_up_sent', task, what: 'steer', commentId, httpStatus, error });
    },
  };
}

/** A run is running that has sent a beacon of activity or has written a comment. */
export function isSteerDue({ view, activeRunIds }: SteerLook): boolean {
  if (view === null) return false;
  return view.runs.some(
    (run) =>
      run.status === 'running' &&
      (activeRunIds.has(run.id) ||
        view.comments.some((comment) => comment.createdByRunId === run.id && comment.authorType === 'agent')),
  );
}
