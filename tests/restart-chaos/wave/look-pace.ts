/**
 * When a task is looked at next. Each look costs the plane about 0.3 s of processor time and tells what is written in
 * rows, so that looks come rarely while the tape shows that nothing was written, and at once when the task can rest.
 */
import type { Numbers } from '../model/numbers.ts';

export interface PaceLook {
  readonly faultInProgress: boolean;
  /** When the plane last wrote something of the task, on the wave's clock; null when nobody knows. */
  readonly lastWriteMs: number | null;
  /** An agent process of the task lives. */
  readonly liveProcesses: boolean;
}

export interface SeenByLook {
  /** Every part could be read; one that could not is soon read again, so that one failed look makes nobody blind. */
  readonly isWhole: boolean;
  /** When the task rests if nothing changes; null when it does not rest as it is. */
  readonly restDueAtMs: number | null;
}

export interface LookPace {
  /** A look begins. */
  lookedAt(atMs: number): void;
  /** What the look amounted to. */
  saw(look: SeenByLook): void;
  /** When the next look is due, as things are. */
  nextAtMs(now: PaceLook): number;
}

/** The first look is due at `createdAtMs`. */
export function createLookPace(numbers: Numbers, createdAtMs: number): LookPace {
  const { pollIntervalMs, faultPollFactor, quietPollFactor, idlePollFactor } = numbers;
  let lookedAtMs = createdAtMs - pollIntervalMs;
  let seen: SeenByLook = { isWhole: true, restDueAtMs: null };

  function factor({ faultInProgress, lastWriteMs, liveProcesses }: PaceLook): number {
    if (faultInProgress) return faultPollFactor;
    // The look before may have read its parts on both sides of the write.
    if (!seen.isWhole || lastWriteMs === null || lastWriteMs >= lookedAtMs) return 1;
    // What cannot rest yet may stall: R5 takes the observer's word for when a stall began, to within a few looks.
    const isResting = seen.restDueAtMs !== null && !liveProcesses;
    return isResting ? idlePollFactor : quietPollFactor;
  }

  return {
    lookedAt: (atMs) => {
      lookedAtMs = atMs;
    },
    saw: (look) => {
      seen = look;
    },
    nextAtMs: (now) => {
      const nextAtMs = lookedAtMs + pollIntervalMs * factor(now);
      if (seen.restDueAtMs === null) return nextAtMs;
      return Math.min(nextAtMs, Math.max(seen.restDueAtMs, lookedAtMs + pollIntervalMs));
    },
  };
}
