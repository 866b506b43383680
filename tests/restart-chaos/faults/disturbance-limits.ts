/** How long a look at a disturbed database may take: the same for whoever looks and for whoever adds durations up. */
import type { Disturbance } from '../model/fault.ts';
import { unreachable } from '../model/invariant.ts';

// A new session and one statement took under 10 ms here; the rest is room for a machine that is busy.
const undisturbedLookMs = 5_000;

/**
 * A look crosses the delayed connection four times: to open a session and back, to ask and back. Two more for an
 * answer that comes in parts.
 */
const delayedCrossings = 6;

/** A database that answers at all does so within milliseconds; silence for this long is silence. */
const silenceMs = 1_500;

/** Longest a probe waits while this disturbance lasts; for a black hole also how long it has to hear nothing. */
export function lookLimitMs(disturbance: Disturbance): number {
  switch (disturbance.kind) {
    case 'latency':
      return undisturbedLookMs + delayedCrossings * (disturbance.fixedMs + disturbance.jitterMs);
    case 'black_hole':
      return silenceMs;
    case 'reset':
    case 'refuse':
      return undisturbedLookMs;
    default:
      return unreachable(disturbance, 'a disturbance');
  }
}

/** Longest it may take until the end of a disturbance is seen: two looks that fail, and one that is answered. */
export const revertLimitMs = 3 * undisturbedLookMs;
