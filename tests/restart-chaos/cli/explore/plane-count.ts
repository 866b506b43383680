/** How many planes this machine carries side by side when nobody says. */
import { availableParallelism, freemem } from 'node:os';

export interface Machine {
  readonly processors: number;
  readonly freeBytes: number;
}

/**
 * After its crash a task mostly waits for the plane's own timers, which costs 0.15 of a processor; what costs more is done
 * in turns (wave/turns.ts), so that more planes only wait beside each other. Memory is what a plane takes at its most: a
 * server of 0.6 GB, its Postgres, agents and our own harness.
 */
const planesPerProcessor = 4;
const bytesPerPlane = 1.2 * 2 ** 30;
const mostPlanes = 32;

/** At least one. */
export function planesFor({ processors, freeBytes }: Machine): number {
  const carried = Math.min(
    Math.ceil(processors * planesPerProcessor),
    Math.floor(freeBytes / bytesPerPlane),
    mostPlanes,
  );
  return Math.max(1, carried);
}

/** This machine at this moment. */
export function thisMachine(): Machine {
  return { processors: availableParallelism(), freeBytes: freemem() };
}
