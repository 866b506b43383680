/**
 * The steps at which a defect can be planted, by name. A plane without one takes each as its own file has it; a defect
 * takes another in its place (defects.ts). Nothing but a defect may change what a step does.
 */
import { databaseAnswers } from './api/health.ts';
import { beginRetry } from './api/retry.ts';
import { follow, release } from './work/finish.ts';
import { adopt, reap, reconcile, sweep } from './work/recover.ts';
import { endByOrder, endProcess } from './work/stop.ts';

export interface Steps {
  /** A boot takes over a run whose process lives. */
  readonly adopt: typeof adopt;
  /** A boot ends a run whose process is gone. */
  readonly reap: typeof reap;
  /** An issue that should go on and has no run gets one. */
  readonly reconcile: typeof reconcile;
  /** What names a run that is over is cleared. */
  readonly sweep: typeof sweep;
  /** An order ends the process of a run. */
  readonly endProcess: typeof endProcess;
  /** How a run is called that an order ended. */
  readonly endByOrder: typeof endByOrder;
  /** A run that ends gives back what it held. */
  readonly release: typeof release;
  /** What comes after a run. */
  readonly follow: typeof follow;
  /** The run that a Retry promises. */
  readonly beginRetry: typeof beginRetry;
  /** What health asks before it says "ok". */
  readonly databaseAnswers: typeof databaseAnswers;
}

/** The plane as it should be. */
export const soundSteps: Steps = {
  adopt,
  reap,
  reconcile,
  sweep,
  endProcess,
  endByOrder,
  release,
  follow,
  beginRetry,
  databaseAnswers,
};
