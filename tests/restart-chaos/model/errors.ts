/**
 * The two kinds of error the harness raises on purpose. A broken promise of the plane is neither:
 * it is a Finding (finding.ts), that is, data.
 */

/** Bad arguments or a precondition that the user can mend. Lists every problem at once. Exit code 3. */
export class UsageError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'UsageError';
    this.problems = problems;
  }
}

/** What went wrong on our side; stable names, because they go into records. */
export type HarnessErrorCode =
  | 'target-install-failed'
  | 'postgres-not-ready'
  | 'postgres-exit-unasked'
  | 'server-not-ready'
  | 'server-exit-unasked'
  | 'plane-recovery-failed'
  | 'process-not-ended'
  | 'seed-failed'
  | 'dialect-unknown'
  | 'protocol'
  | 'fault-not-landed'
  | 'deadline-exceeded'
  | 'evidence-unreadable'
  | 'evidence-unwritable'
  | 'sandbox-unavailable'
  | 'image-refused'
  | 'image-pull-failed'
  | 'daytona-failed'
  | 'daytona-refused'
  | 'close-incomplete'
  | 'interrupted'
  | 'internal';

/**
 * A failure of the harness or of what it stands on. Exit code 2; never looks like a failure of the plane.
 * The message says what was tried, on what, what came instead and what to do or where to look.
 */
export class HarnessError extends Error {
  readonly code: HarnessErrorCode;

  constructor(code: HarnessErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'HarnessError';
    this.code = code;
  }
}

/** The text of anything thrown, for records and messages. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
