/**
 * The tables of the published plane whose rows have a status that rules look at. These names are that plane's own:
 * another one brings its own, and until it does, its tape says nothing here and the rules go by its rows.
 */

export type RowKind = 'issue' | 'run' | 'wake' | 'lease' | 'recovery_action';

export const tapeTables: Readonly<Record<string, RowKind>> = {
  issues: 'issue',
  heartbeat_runs: 'run',
  agent_wakeup_requests: 'wake',
  environment_leases: 'lease',
  issue_recovery_actions: 'recovery_action',
};

/** By the plane's own lists (plane/paperclip/statuses.ts). What is not named counts as open. */
const finished: Readonly<Record<RowKind, readonly string[]>> = {
  issue: ['done', 'cancelled', 'backlog'],
  run: ['succeeded', 'failed', 'cancelled', 'timed_out', 'interrupted'],
  wake: ['coalesced', 'skipped', 'completed', 'failed', 'cancelled'],
  lease: ['released', 'expired', 'failed', 'retained'],
  recovery_action: ['resolved', 'cancelled'],
};

const waiting: readonly string[] = ['queued', 'scheduled_retry'];

/** Whether the plane is finished with a row of this kind in this status. */
export function isFinishedRow(kind: RowKind, status: string): boolean {
  return finished[kind].includes(status);
}

/** Whether a run in this status has not begun: it waits for a free place or for its due time. */
export function isWaitingRun(status: string): boolean {
  return waiting.includes(status);
}

/** Whether a run in this status is claimed or running. */
export function isActiveRun(status: string): boolean {
  return !isWaitingRun(status) && !isFinishedRow('run', status);
}

/**
 * Whether a row in this status may never have another one. An issue can be reopened and a lease taken again, both by
 * right; an attempt that is over stays over.
 */
export function isOverForGood(kind: RowKind, status: string): boolean {
  return (kind === 'run' || kind === 'wake') && isFinishedRow(kind, status);
}
