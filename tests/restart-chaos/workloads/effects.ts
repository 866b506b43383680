/** What an agent is to leave behind, each thing under the key that it is labelled with: the intents of a workload. */
import type { TaskPlan, WorkloadId } from '../model/plan.ts';
import { marker } from '../model/card.ts';

/** One intent: however often the agent is run, it exists once. A file has its path, relative to the worktree. */
export type Effect =
  | { readonly kind: 'comment' | 'document'; readonly key: string }
  | { readonly kind: 'file'; readonly key: string; readonly path: string };

const report: Effect = { kind: 'comment', key: 'report' };
const brief: readonly Effect[] = [{ kind: 'document', key: 'brief' }, report];

const byWorkload: Readonly<Record<WorkloadId, (task: TaskPlan) => readonly Effect[]>> = {
  A1: () => brief,
  B1: ({ id, nonce }) => [
    { kind: 'file', key: 'fix', path: 'chaostool/figures.py' },
    { kind: 'file', key: 'marker', path: marker.file(id, nonce) },
    report,
  ],
  B5: () => [{ kind: 'document', key: 'bench' }, report],
  C1: () => brief,
  S1: () => brief,
};

/** The intents of a task, in the order in which its agent makes them. */
export function effectsOf(task: TaskPlan): readonly Effect[] {
  return byWorkload[task.workload](task);
}

/** What an agent also does under a key, and is no thing that exists: it sets the status. */
export const statusKey = 'status';

/** Whether a key is that of the comment that a run leaves which found the report written: one for each such run. */
export function isRunNote(key: string): boolean {
  return key.startsWith('note-');
}
