/**
 * The task card: one line of the description that a program can read. Percent-encoded JSON, because the
 * plane un-escapes backslash sequences in descriptions and would corrupt plain JSON.
 */
import type { Pace, TaskPlan, WorkloadId } from './plan.ts';

export interface TaskCard {
  readonly task: string;
  readonly workload: WorkloadId;
  readonly nonce: string;
  readonly pace: Pace;
}

const prefix = 'CHAOS-CARD:';

/** The card line of a task. */
export function formatCard(task: TaskPlan): string {
  const card: TaskCard = { task: task.id, workload: task.workload, nonce: task.nonce, pace: task.pace };
  return `${prefix}${encodeURIComponent(JSON.stringify(card))}`;
}

/** Finds and reads the last card line in a text; null when there is none or it cannot be read. */
export function readCard(text: string): TaskCard | null {
  const encoded = [...text.matchAll(/CHAOS-CARD:([A-Za-z0-9%._~!'()*-]+)/g)].at(-1)?.[1];
  if (encoded === undefined) return null;
  try {
    return JSON.parse(decodeURIComponent(encoded)) as TaskCard;
  } catch {
    return null;
  }
}

/** The markers a task's result is recognised by. Per task, so that two tasks never satisfy each other. */
export const marker = {
  chaos: (nonce: string): string => `CHAOS-${nonce}`,
  steer: (nonce: string): string => `STEER-${nonce}`,
  continue: (nonce: string): string => `CONTINUE-${nonce}`,
  /** Path of B1's marker file, relative to the worktree. */
  file: (task: string, nonce: string): string => `chaos/${task}-${nonce}`,
  /** Label an agent puts on each effect, so that a repeated one can be told from a new one. */
  effect: (task: string, step: string): string => `[effect ${task}/${step}]`,
} as const;
