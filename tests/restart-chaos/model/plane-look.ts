/** What the harness sees of the plane as a whole, beside its boots: events of a wave. */
import type { BootPhase } from './event.ts';
import type { ProcessIdentity } from './fault.ts';

export type PlaneLook =
  /** The plane's health was asked while a fault kept its database away from it. */
  | {
      readonly kind: 'health_look';
      readonly boot: number;
      readonly askedAtMs: number;
      readonly answeredAtMs: number;
      /** How long an answer was waited for. */
      readonly withinMs: number;
      /** What the answer said; `refused` for everything that is no answer of our own process in time. */
      readonly phase: BootPhase;
    }
  /** Who was at work on the database when the plane was ready. */
  | {
      readonly kind: 'plane_count';
      readonly boot: number;
      readonly server: ProcessIdentity;
      /**
       * Processes that are connected to the database or listen on the server's port, and are neither the server nor below
       * it; null when that could not be told.
       */
      readonly others: readonly number[] | null;
      /** Processes at work in the data directory that no other such process started; null when that could not be told. */
      readonly postmasters: readonly number[] | null;
    };
