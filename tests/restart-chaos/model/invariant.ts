/**
 * Throws when a condition that only a programming mistake can break does not hold.
 * For bad input use UsageError, for a failure of the outside world HarnessError.
 */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}

/** Makes a switch over a union complete: the compiler refuses a forgotten case. */
export function unreachable(value: never, what: string): never {
  throw new Error(`invariant broken: ${what} has no case for ${JSON.stringify(value)}`);
}
