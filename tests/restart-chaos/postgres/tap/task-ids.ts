/**
 * Which ids belong to which task. The harness says which agent and issue a task has; everything else is learned from
 * rows that name one of these: a run of the task's agent, a wake of that run, a comment on the issue.
 */
import type { TaskId } from '../../model/ids.ts';
import type { TapeRow, TapeStatement } from '../../model/tape.ts';

/** Ids of all tasks of a wave. */
export class TaskIds {
  readonly #tasks = new Map<string, TaskId>();

  /** Says that an id is a task's own. */
  know(id: string, task: TaskId): void {
    this.#tasks.set(id, task);
  }

  /** The tasks that a transaction touches, in the order of their names; learns the ids of the rows it names. */
  tasksOf(statements: readonly TapeStatement[]): readonly TaskId[] {
    const rows = statements.flatMap(({ named }) => named);
    // Twice: a row may be named before the one that says whose it is.
    if (rows.length > 1) this.#owners(rows);
    return [...this.#owners(rows)].toSorted();
  }

  #owners(rows: readonly TapeRow[]): ReadonlySet<TaskId> {
    const found = new Set<TaskId>();
    for (const row of rows) {
      const owners = new Set(Object.values(row).flatMap((value) => this.#tasks.get(value) ?? []));
      for (const owner of owners) found.add(owner);
      const [owner] = owners;
      // A row that names two tasks is a link between them and belongs to neither alone.
      if (owner !== undefined && owners.size === 1) this.#learn(row['id'], owner);
    }
    return found;
  }

  #learn(id: string | undefined, task: TaskId): void {
    if (id !== undefined && !this.#tasks.has(id)) this.#tasks.set(id, task);
  }
}
