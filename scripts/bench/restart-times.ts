/** What one restart took, whoever made it. Milliseconds. */
export interface RestartTimes {
  /** From just before the SIGKILL until ready was seen. */
  readonly totalMs: number;
  /** Until the exit was seen (by the harness: and the port found free). */
  readonly exitMs: number;
  /** From the spawn until the moment at which the plane itself says it became ready. */
  readonly bootMs: number;
  /** Processor time of the measuring process meanwhile, which the plane could not have. */
  readonly cpuMs: number;
}

/** Everything that is neither the exit nor the plane's own boot: starting it, and noticing that it is ready. */
export function restOf(times: RestartTimes): number {
  return times.totalMs - times.exitMs - times.bootMs;
}
