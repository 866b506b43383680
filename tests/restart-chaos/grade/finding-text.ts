/** Short texts that several rules need. */

// A report names enough to look at; the evidence files hold the rest.
const mostNames = 10;

/** `a, b, c and 4 more`. */
export function listed(names: readonly string[]): string {
  const left = names.length - mostNames;
  return left > 0 ? `${names.slice(0, mostNames).join(', ')} and ${left} more` : names.join(', ');
}

/** Milliseconds as seconds with one digit. */
export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
