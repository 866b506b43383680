/** Exit codes of the command line (doc/evidence.md): the worst thing that happened decides. */
export const exitCode = {
  /** Every task passed. */
  passed: 0,
  /** A task failed: the plane broke a promise. */
  failed: 1,
  /** The harness failed: fault not landed, plane not recovered, cleanup incomplete, interrupted. */
  harness: 2,
  /** Refused before anything started: usage, preflight, safety. */
  refused: 3,
  /** Inconclusive: nothing crossed, or only unknowns. */
  inconclusive: 4,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
