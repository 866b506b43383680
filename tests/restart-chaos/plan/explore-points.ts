/**
 * From the write tape of recorded tasks to the crash points of their life. A commit is named by what it wrote and by how
 * many commits of the task that name had fitted up to it, counted as the tap counts when it waits for one.
 */
import { matchesCommit, parseCommitPattern, patternOf } from '../model/commit-pattern.ts';
import type { WaveEvent } from '../model/event.ts';
import type { LifeCommit, UnsteadyCommit } from '../model/exploration.ts';
import type { TaskId } from '../model/ids.ts';
import type { WriteTransaction } from '../model/tape.ts';

/** A commit of one recorded task. */
export type TaskCommit = Omit<LifeCommit, 'id'>;

/** From the request for a task's issue to its rest, on the wave's clock. */
export interface TaskLife {
  readonly task: TaskId;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The lives of the tasks that came to rest, in the order in which they began. */
export function livesOf(events: readonly WaveEvent[]): readonly TaskLife[] {
  return events.flatMap((created) => {
    if (created.kind !== 'task_created') return [];
    const rest = events.find((event) => event.kind === 'rest' && event.task === created.task);
    return rest === undefined ? [] : [{ task: created.task, fromMs: created.askedAtMs, untilMs: rest.atMs }];
  });
}

/**
 * What a task committed in its life, in order. Commits after its rest are left out: no fault waits for them. Those
 * before it began are not counted: nobody counted them for the task then.
 */
export function commitsOf(
  tape: readonly WriteTransaction[],
  { task, fromMs, untilMs }: TaskLife,
): readonly TaskCommit[] {
  const own = tape.filter(
    ({ outcome, tasks, askedAtMs, statements }) =>
      outcome === 'committed' &&
      tasks.includes(task) &&
      statements.length > 0 &&
      askedAtMs >= fromMs &&
      askedAtMs <= untilMs,
  );
  return own.map(({ statements, askedAtMs }, index) => {
    const pattern = patternOf(statements);
    const parsed = parseCommitPattern(pattern);
    const occurrence = own.slice(0, index + 1).filter((earlier) => matchesCommit(parsed, earlier.statements)).length;
    return { pattern, occurrence, afterMs: Math.round(askedAtMs - fromMs) };
  });
}

/** The commits that every task made, in the order of the middle task's life, and those that only some made. */
export function recurringCommits(tasks: readonly (readonly TaskCommit[])[]): {
  readonly commits: readonly LifeCommit[];
  readonly unsteady: readonly UnsteadyCommit[];
} {
  const seen = new Map<string, { readonly commit: TaskCommit; readonly at: { index: number; afterMs: number }[] }>();
  for (const commits of tasks) {
    for (const [index, commit] of commits.entries()) {
      const entry = seen.get(commitName(commit)) ?? { commit, at: [] };
      entry.at.push({ index, afterMs: commit.afterMs });
      seen.set(commitName(commit), entry);
    }
  }
  const all = [...seen.values()];
  const steady = all
    .filter(({ at }) => at.length === tasks.length)
    .map(({ commit, at }) => ({
      pattern: commit.pattern,
      occurrence: commit.occurrence,
      afterMs: middle(at.map(({ afterMs }) => afterMs)),
      place: middle(at.map(({ index }) => index)),
    }))
    .toSorted((left, right) => left.place - right.place || left.afterMs - right.afterMs);
  return {
    commits: steady.map(({ pattern, occurrence, afterMs }, index) => ({
      id: `c${String(index + 1).padStart(2, '0')}`,
      pattern,
      occurrence,
      afterMs,
    })),
    unsteady: all
      .filter(({ at }) => at.length < tasks.length)
      .map(({ commit, at }) => ({ pattern: commit.pattern, occurrence: commit.occurrence, tasks: at.length })),
  };
}

function commitName({ pattern, occurrence }: Pick<TaskCommit, 'pattern' | 'occurrence'>): string {
  return `${pattern}#${occurrence}`;
}

function middle(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor((values.length - 1) / 2)] ?? 0;
}
