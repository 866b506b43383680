/** How many planes this machine carries side by side when nobody says. */
import { availableParallelism, freemem } from 'node:os';

export interface Machine {
  readonly processors: number;
  readonly freeBytes: number;
}

/**
 * After its crash a task waits about two minutes for the plane's own timers, and what costs more is done in turns
 * (wave/turns.ts). An idle plane and its Postgres take 0.15 of a processor when three share two, and twice that when six do,
 * because they push each other out of the processors' caches. Measured on 2: with 3 planes a point every 32 to 43 s and boots of
 * 8 to 13 s; with 5 a point every 46 s, boots of 10 to 37 s; with 6, two of them busy, boots of 40 to 60 s, as long as the plane's own
 * leases. Memory is what a plane takes at its most: a server of 0.6 GB, its Postgres, agents and our own harness.
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

/** How many of them may be busy at a time: a boot alone keeps more than one processor busy. */
export function busyPlanesFor({ processors }: Pick<Machine, 'processors'>): number {
  return Math.max(1, Math.floor(processors / 2));
}

/** This machine at this moment. */
export function thisMachine(): Machine {
  return { processors: availableParallelism(), freeBytes: freemem() };
}
