/** How many planes this machine carries side by side when nobody says. */
import { availableParallelism, freemem } from 'node:os';

export interface Machine {
  readonly processors: number;
  readonly freeBytes: number;
}

/**
 * A task on a plane mostly waits, but boots and the plane's own timers do not. With 8 planes on 2 processors the load was
 * 25, boots took 130 to 165 s where they were ready within their 180 s at all, and in ten minutes not one point was
 * finished; with 3 planes boots took 20 to 40 s. More than two planes on a processor only disturb each other. Memory is
 * what a plane takes at its most: a server of 0.6 GB, its Postgres, agents and our own harness.
 */
const planesPerProcessor = 1.5;
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
