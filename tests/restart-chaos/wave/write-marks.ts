/** When the plane last wrote something of a task, by the tape: what a look would show has not changed since. */
import type { TaskId } from '../model/ids.ts';
import { hidesRows, type TapeStatement, type WriteTransaction } from '../model/tape.ts';

/** Times are on the wave's clock. */
export interface WriteMarks {
  /** A transaction ended. One that changed rows without naming them may have changed rows of any task. */
  note(transaction: Pick<WriteTransaction, 'tasks' | 'endedAtMs' | 'statements'>): void;
  /** Something other than a write says that the task goes on. */
  noteSign(task: TaskId, atMs: number): void;
  /** Writes are missing from the tape: from now on the last write of every task is after every look. */
  distrust(): void;
  /** Null when nothing of the task was written yet. */
  lastWriteMs(task: TaskId): number | null;
}

/** Nothing written yet. */
export function createWriteMarks(): WriteMarks {
  const marks = new Map<TaskId, number>();
  let anyTaskMs = Number.NEGATIVE_INFINITY;
  const last = (task: TaskId): number => Math.max(marks.get(task) ?? Number.NEGATIVE_INFINITY, anyTaskMs);
  const mark = (task: TaskId, atMs: number): void => void marks.set(task, Math.max(last(task), atMs));
  return {
    note: ({ tasks, endedAtMs, statements }) => {
      for (const task of tasks) mark(task, endedAtMs);
      if (statements.some(mayConcernAnyTask)) anyTaskMs = Math.max(anyTaskMs, endedAtMs);
    },
    noteSign: mark,
    distrust: () => {
      anyTaskMs = Number.POSITIVE_INFINITY;
    },
    lastWriteMs: (task) => {
      const atMs = last(task);
      return atMs === Number.NEGATIVE_INFINITY ? null : atMs;
    },
  };
}

/** A new row belongs to the tasks whose ids it holds, also when the database made its own id; one that was there does not. */
function mayConcernAnyTask(statement: TapeStatement): boolean {
  const isNewAndHeld =
    statement.verb === 'insert' && statement.updates === undefined && statement.named.length === statement.rows;
  return hidesRows(statement) && (!isNewAndHeld || statement.isCountUnknown === true);
}
