/** How many planes this machine carries side by side when nobody says. */
import { availableParallelism, freemem } from 'node:os';

export interface Machine {
  readonly processors: number;
  readonly freeBytes: number;
}

/**
 * After its crash a task waits about two minutes for the plane's own timers, and what costs more is done in turns
 * (wave/turns.ts). But an idle plane and its Postgres still take 0.15 to 0.25 of a processor: with 6 planes and two turns at
 * a time on 2 processors a boot took 40 to 60 s instead of 8, as long as the plane's own leases. Memory is what a plane takes
 * at its most: a server of 0.6 GB, its Postgres, agents and our own harness.
 */
const planesPerProcessor = 2.5;
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
