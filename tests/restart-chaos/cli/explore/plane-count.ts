/** How many planes this machine carries side by side when nobody says. */
import { availableParallelism, freemem } from 'node:os';

export interface Machine {
  readonly processors: number;
  readonly freeBytes: number;
}

/**
 * After its crash a task waits about two minutes for the plane's own timers, and what costs more is done in turns
 * (wave/turns.ts). But an idle plane and its Postgres still take 0.15 of a processor: with 8 planes on 2 processors they left
 * so little for the boots that one took 25 to 50 s instead of 8. Memory is what a plane takes at its most: a server of 0.6 GB,
 * its Postgres, agents and our own harness.
 */
const planesPerProcessor = 3;
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
