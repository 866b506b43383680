/**
 * The two things that a rest needs from the database rows: whether everything of a done task is settled, and when a
 * run that claims to be running last changed. Asked only when a rest could depend on it.
 */
import type { TaskTruth } from '../model/truth.ts';
import type { TaskView } from '../model/view.ts';
import { isSettled, readTaskTruth } from '../plane/paperclip/truth.ts';
import type { OpenTask } from './open-task.ts';
import type { Stage } from './stage.ts';

export interface RowState {
  readonly settledInTruth: boolean;
  readonly runRowsChangedAtMs: number | null;
}

const notKnown: RowState = { settledInTruth: false, runRowsChangedAtMs: null };

/** Never throws: rows that cannot be read now are read at the next look, and the full window is the fallback. */
export async function readRowState(stage: Stage, task: OpenTask, view: TaskView | null): Promise<RowState> {
  if (view === null) return notKnown;
  const done = view.issue.status === 'done';
  if (!done && !view.runs.some(({ status }) => status === 'running')) return notKnown;
  try {
    const truth = await readTaskTruth(stage.truth, [task.issueId]);
    return { settledInTruth: done && isSettled(truth), runRowsChangedAtMs: lastRunChange(stage, truth) };
  } catch {
    return notKnown;
  }
}

/** A lease the plane still holds on a run counts as a change at its end: before that the plane may not act on it. */
function lastRunChange(stage: Stage, truth: TaskTruth): number | null {
  const toWaveClock = (wall: string): number => stage.clock.nowMs() - (Date.now() - Date.parse(wall));
  const times = truth.runs
    .filter(({ status }) => status === 'running')
    .flatMap((run) => [run.updatedAt, run.controllerLeaseExpiresAt])
    .filter((wall) => wall !== null);
  return times.length === 0 ? null : Math.max(...times.map(toWaveClock));
}
