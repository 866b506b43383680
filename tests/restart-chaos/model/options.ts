/** What a wave is asked to do, complete: the command line is read into this once, and nothing after it is optional. */
import type { FaultChoice, NamedTrigger } from './fault.ts';
import type { AdapterId, EnvironmentId, SandboxPlan, WorkloadId } from './plan.ts';

/** The part of the options that decides the plan. */
export interface PlanOptions {
  readonly seed: number;
  readonly target: string;
  readonly environment: EnvironmentId;
  /** Null when agents run on this machine. */
  readonly sandbox: SandboxPlan | null;
  readonly tasks: number;
  readonly concurrency: number;
  readonly workloads: readonly WorkloadId[];
  readonly adapters: readonly AdapterId[];
  readonly faults: readonly FaultChoice[];
  /** When the faults strike, when that is asked for by name; null: at times drawn from the seed. */
  readonly trigger: NamedTrigger | null;
  readonly budgetCents: number;
  readonly timeScale: number;
}

/** Test hooks: each breaks the harness on purpose, so that a test can see it notice. Never set by users. */
export type TestHook = 'fault-does-not-land' | 'start-fails-after-fault';

/** The part that decides where and how it runs. */
export interface RunOptions {
  readonly resultsDirectory: string;
  readonly cacheDirectory: string;
  /** Machine-readable event stream on standard output instead of text. */
  readonly json: boolean;
  /** Run oracle commands without a sandbox where none works. Off unless asked for. */
  readonly allowUnsandboxedOracles: boolean;
  /** Keep the wave's run directory (home, database, workspaces) after a clean close. */
  readonly keep: boolean;
  /** The plane reaches its database through the tap. Off only to compare a wave with one without it. */
  readonly tap: boolean;
  /** Shared with the waves that run side by side; null for a wave that runs alone. */
  readonly turns: TurnsPlace | null;
  readonly daytona: DaytonaOptions;
  readonly testHooks: readonly TestHook[];
}

/** What a wave in sandboxes needs beside its plan. Nothing of it is read when agents run on this machine. */
export interface DaytonaOptions {
  /** Null when it is missing. */
  readonly apiKey: string | null;
  /** Base address of the API. */
  readonly apiUrl: string;
  /** Directory of the built provider; null: the one of the checkout that is the target. */
  readonly providerDirectory: string | null;
  /** Content id of the target's sources, for a target that comes without them; null: computed by the checkout. */
  readonly contentId: string | null;
  /** Virtual processors that a wave may have at a time. */
  readonly vcpuBudget: number;
}

/** A boot on a busy machine takes 60 s; whoever holds a turn for longer keeps the others waiting for nothing. */
export const longestTurnMs = 180_000;

/** Where waves of several harnesses take turns, and how many of them have theirs at a time. */
export interface TurnsPlace {
  readonly directory: string;
  readonly places: number;
}
