/** When the plane last wrote something of a task, by the tape: what a look would show has not changed since. */
import type { TaskId } from '../model/ids.ts';
import type { WriteTransaction } from '../model/tape.ts';

/** Times are on the wave's clock. */
export interface WriteMarks {
  /** A transaction ended. One that belongs to no task may have changed rows of any. */
  note(transaction: Pick<WriteTransaction, 'tasks' | 'endedAtMs' | 'statements'>): void;
  /** Null when nothing of the task was written yet. */
  lastWriteMs(task: TaskId): number | null;
}

/** Nothing written yet. */
export function createWriteMarks(): WriteMarks {
  const marks = new Map<TaskId, number>();
  let anyTaskMs: number | null = null;
  return {
    note: ({ tasks, endedAtMs, statements }) => {
      for (const task of tasks) marks.set(task, endedAtMs);
      const hidesRows = statements.some(({ rows, named }) => named.length < rows);
      if (tasks.length === 0 && hidesRows) anyTaskMs = endedAtMs;
    },
    lastWriteMs: (task) => {
      const own = marks.get(task) ?? null;
      if (own === null || anyTaskMs === null) return own ?? anyTaskMs;
      return Math.max(own, anyTaskMs);
    },
  };
}
