/** How many planes this machine carries side by side when nobody says. */
import { availableParallelism, freemem } from 'node:os';

export interface Machine {
  readonly processors: number;
  readonly freeBytes: number;
}

/**
 * A task on a plane mostly waits (for timers of the plane, and for its rest), so that a processor carries several. Memory
 * is what a plane takes at its most: a server of 0.6 GB, its Postgres, agents and our own harness.
 */
const planesPerProcessor = 3;
const bytesPerPlane = 1.2 * 2 ** 30;
const mostPlanes = 32;

/** At least one. */
export function planesFor({ processors, freeBytes }: Machine): number {
  const carried = Math.min(processors * planesPerProcessor, Math.floor(freeBytes / bytesPerPlane), mostPlanes);
  return Math.max(1, carried);
}

/** This machine at this moment. */
export function thisMachine(): Machine {
  return { processors: availableParallelism(), freeBytes: freemem() };
}
