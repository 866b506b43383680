/** Every wait and limit the rules name (doc/rules.md, "Numbers"), in one place, scaled for tests only. */

export interface Numbers {
  /** Factor applied to the waits below; 1 in every real wave. Written into every record. */
  readonly timeScale: number;
  /** How long a state must hold before it counts as rest. */
  readonly restWindowMs: number;
  /** The same when the issue is done and the truth shows everything of the task settled. */
  readonly settledRestWindowMs: number;
  /** Longest stretch without progress and without a named wait. */
  readonly stallLimitMs: number;
  /** How often the subtasks of an open parent are checked. */
  readonly subtaskCheckMs: number;
  /** Shortest time between Stop and the continue comment. */
  readonly stopSettleMs: number;
  /** An accepted Retry must show an agent process with output within this. */
  readonly retryStartMs: number;
  /** Length of bench.sh. */
  readonly benchMs: number;
  /** Time between two looks of the observer at one task. */
  readonly pollIntervalMs: number;
  /**
   * While a fault is in progress a look comes only every so many poll intervals: each takes time from the plane's
   * recovery and shows little. Not scaled.
   */
  readonly faultPollFactor: number;
  /**
   * While the tape shows no write of a task, a look comes only every so many poll intervals: what the board shows is
   * made of rows, and each look costs the plane about 0.3 s of processor time. 1 when waits are scaled: they are short then.
   */
  readonly quietPollFactor: number;
  /**
   * The same while the rest window of a task runs of which no agent process lives. Looks as far apart leave no blind
   * window when a request of one of them runs into its time limit (`blindWindows` in grade/); the rest window begins again then.
   */
  readonly idlePollFactor: number;
  /** After rest, an issue is looked at again after this: two sweeps of the plane, 15 s each (measured). */
  readonly recheckAfterMs: number;
  /** Longest a boot may take until ready: 5 s on a quiet machine, over 90 s seen at a load of 15 on two cores. */
  readonly readyLimitMs: number;
  /** Longest wait for an exit after SIGTERM before SIGKILL. N stubborn agents take N times their grace. */
  readonly gracefulExitMs: number;
  /** Client-side limit of one HTTP request; the plane has none of its own. */
  readonly requestTimeoutMs: number;
}

const unscaled: Numbers = {
  timeScale: 1,
  restWindowMs: 60_000,
  settledRestWindowMs: 5_000,
  stallLimitMs: 600_000,
  subtaskCheckMs: 10_000,
  stopSettleMs: 20_000,
  retryStartMs: 60_000,
  benchMs: 240_000,
  pollIntervalMs: 1_000,
  faultPollFactor: 5,
  quietPollFactor: 5,
  idlePollFactor: 8,
  recheckAfterMs: 30_000,
  readyLimitMs: 180_000,
  gracefulExitMs: 60_000,
  requestTimeoutMs: 10_000,
};

/** The numbers for a time scale. Limits of boots, exits and requests are never scaled: the plane's own clocks are not. */
export function numbersFor(timeScale: number): Numbers {
  const scaled = (ms: number): number => Math.max(1, Math.round(ms * timeScale));
  return {
    ...unscaled,
    timeScale,
    restWindowMs: scaled(unscaled.restWindowMs),
    settledRestWindowMs: scaled(unscaled.settledRestWindowMs),
    stallLimitMs: scaled(unscaled.stallLimitMs),
    subtaskCheckMs: scaled(unscaled.subtaskCheckMs),
    stopSettleMs: scaled(unscaled.stopSettleMs),
    retryStartMs: scaled(unscaled.retryStartMs),
    benchMs: scaled(unscaled.benchMs),
    recheckAfterMs: scaled(unscaled.recheckAfterMs),
    quietPollFactor: timeScale === 1 ? unscaled.quietPollFactor : 1,
    idlePollFactor: timeScale === 1 ? unscaled.idlePollFactor : 1,
  };
}

/** Hard monthly cap of the wave's company, in cents, unless --budget-cents says otherwise. */
export const defaultBudgetCents = 3_000;
