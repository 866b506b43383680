/** What every part of the plane works with. One per process. */
import type { Database } from './database/database.ts';
import type { PlaneLock } from './database/one-plane.ts';
import type { Settings } from './settings.ts';
import type { Steps } from './steps.ts';
import type { ProcessIdentity } from './work/process.ts';

/** `recovering`: the port answers, and only about its health. */
export type Phase = 'starting' | 'recovering' | 'ready' | 'stopping';

/** A running run whose process this boot started or adopted. */
export interface WatchedRun {
  readonly runId: string;
  readonly process: ProcessIdentity;
  /** How long the process may take to end when it is asked to. */
  readonly graceMs: number;
  outputBytes: number;
  leaseRenewedAtMs: number;
}

export interface Plane {
  readonly settings: Settings;
  readonly database: Database;
  readonly lock: PlaneLock;
  readonly steps: Steps;
  readonly startedAt: Date;
  /** Names this boot in the claims it makes. */
  readonly bootId: string;
  /** By run. */
  readonly watched: Map<string, WatchedRun>;
  /** Runs that are claimed and whose process is being started. */
  readonly starting: Set<string>;
  phase: Phase;
  phaseSince: Date;
  /** Makes the dispatcher look at once; called after a commit that queued something. */
  poke: () => void;
  /** One line for people, with the time before it. */
  readonly log: (line: string) => void;
}

export function enterPhase(plane: Plane, phase: Phase): void {
  plane.phase = phase;
  plane.phaseSince = new Date();
  plane.log(`phase ${phase}`);
}
