/**
 * Statuses in which the plane is finished with a row, from its own lists. What is not named here counts as open, so
 * that a status of a newer release shows up as a leftover instead of passing unseen.
 */

export const finishedStatuses = {
  run: ['succeeded', 'failed', 'cancelled', 'timed_out', 'interrupted'],
  wake: ['coalesced', 'skipped', 'completed', 'failed', 'cancelled'],
  /** `retained`: kept on purpose after a failure, by policy. */
  lease: ['released', 'expired', 'failed', 'retained'],
  operation: ['succeeded', 'failed', 'skipped'],
  recoveryAction: ['resolved', 'cancelled'],
  /** `backlog`: nobody is meant to work on it. */
  issue: ['done', 'cancelled', 'backlog'],
} as const satisfies Record<string, readonly string[]>;

/** Whether the plane is finished with a row of this kind in this status. */
export function isFinished(kind: keyof typeof finishedStatuses, status: string): boolean {
  return (finishedStatuses[kind] as readonly string[]).includes(status);
}

/** The same as an SQL condition on a column. */
export function isOpenSql(kind: keyof typeof finishedStatuses, column: string): string {
  return `${column} not in (${finishedStatuses[kind].map((status) => `'${status}'`).join(', ')})`;
}
