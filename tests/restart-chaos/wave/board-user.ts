/** What a board user does to one task while it is open: the follow-ups of its workload, and one Retry. */
import { createSteerFollowUp } from '../board/follow-up.ts';
import { createRetryClicker } from '../board/retry-clicker.ts';
import { createStopFollowUp, type StopOptions } from '../board/stop-follow-up.ts';
import type { TaskView } from '../model/view.ts';
import { workloads } from '../workloads/catalogue.ts';
import type { OpenTask } from './open-task.ts';
import type { Stage } from './stage.ts';

export interface BoardUser {
  /** Does what a board user would do after this look. */
  tend(view: TaskView | null, faultInProgress: boolean): Promise<void>;
  /** Whether there is still something to do for this workload. */
  due(view: TaskView | null): boolean;
  /** When the plane last accepted something from this user. */
  acceptedAtMs(): number | null;
}

/** Told when the plane has answered the board's Stop. */
export type OnStop = StopOptions['onStop'];

/** The board user of a task. */
export function createBoardUser(stage: Stage, task: OpenTask, onStop: OnStop): BoardUser {
  const { plan, issueId, agentId } = task;
  const { client, dialect, emit, clock, numbers } = stage;
  const acting = { client, dialect, task: plan.id, issueId, emit, clock };
  const retry = createRetryClicker({ ...acting, agentId, numbers });
  const { followUps, commentText } = workloads[plan.workload];
  const commenting = { ...acting, nonce: plan.nonce, body: commentText(plan) ?? '' };
  const steer = followUps.includes('steer') ? createSteerFollowUp(commenting) : null;
  const stop = followUps.includes('stop') ? createStopFollowUp({ ...commenting, numbers, onStop }) : null;
  return {
    tend: async (view, faultInProgress) => {
      const look = { view, activeRunIds: task.activeRunIds, faultInProgress };
      if (!faultInProgress) await steer?.tend(look);
      await stop?.tend(look);
      // Whoever stopped a task does not press Retry on it before asking to go on.
      if (stop?.isStopped() !== true) await retry.tend(look);
    },
    due: (view) => {
      const look = { view, activeRunIds: task.activeRunIds };
      return (steer?.due(look) ?? false) || (stop?.due(look) ?? false);
    },
    acceptedAtMs: () => {
      const times = [steer, stop, retry].map((each) => each?.acceptedAtMs() ?? null);
      const accepted = times.filter((at) => at !== null);
      return accepted.length === 0 ? null : Math.max(...accepted);
    },
  };
}
