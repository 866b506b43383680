/**
 * Who waits for which beacon of an agent. The agent waits for the harness's answer, two seconds at most, so that a fault
 * can strike while it stands at exactly this moment.
 */
import type { Beacon } from '../model/event.ts';
import type { TaskId } from '../model/ids.ts';

export interface BeaconWait {
  readonly task: TaskId;
  readonly moment: Beacon['moment'];
  /** 1 for the first such beacon of the task, over all its runs. */
  readonly occurrence: number;
}

interface Waiter {
  readonly wait: BeaconWait;
  readonly tell: () => Promise<void>;
  seen: number;
}

/** The beacons that are waited for in one wave. */
export class BeaconWaits {
  #waiters: Waiter[] = [];

  /** Calls `tell` once, when the beacon comes; the agent is answered when the promise settles. Gives how to stop waiting. */
  expect(wait: BeaconWait, tell: () => Promise<void>): () => void {
    const waiter: Waiter = { wait, tell, seen: 0 };
    this.#waiters.push(waiter);
    return () => {
      this.#waiters = this.#waiters.filter((each) => each !== waiter);
    };
  }

  /** A beacon came. Resolves when whoever waited for it has acted. */
  async met(task: TaskId, beacon: Beacon): Promise<void> {
    const due = this.#waiters.filter((waiter) => {
      if (waiter.wait.task !== task || waiter.wait.moment !== beacon.moment) return false;
      waiter.seen += 1;
      return waiter.seen === waiter.wait.occurrence;
    });
    this.#waiters = this.#waiters.filter((waiter) => !due.includes(waiter));
    await Promise.all(due.map(({ tell }) => tell()));
  }
}
