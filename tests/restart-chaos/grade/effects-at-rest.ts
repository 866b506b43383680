/**
 * The labelled things of a task that exist at rest. Rows say which comments are there and looks say what is in them: a
 * comment that a look showed once and that has no row any more is gone.
 */
import { marker } from '../model/card.ts';
import type { TaskFacts } from '../model/facts.ts';
import type { TaskTruth, TruthDurable } from '../model/truth.ts';
import type { Effect } from '../workloads/effects.ts';
import { groupBy } from './group-by.ts';

export interface EffectsAtRest {
  /** Ids by key: of the comments that end with the label of an effect of this task, and of the documents. */
  readonly comments: ReadonlyMap<string, readonly string[]>;
  readonly documents: ReadonlyMap<string, readonly string[]>;
  /** Null when that could not be read. */
  has(effect: Effect): boolean | null;
  /** Comments that have a row and that no look showed: nobody knows what is in them. */
  readonly unread: readonly string[];
}

/** Documents are not counted where there are subtasks: the rows are those of the whole family, and each may have its own by right. */
export function effectsAtRest(facts: TaskFacts, rest: TaskTruth): EffectsAtRest {
  const rows = ofKind(rest, 'comment');
  const bodies = new Map((facts.comments ?? []).map(({ id, body }) => [id, body]));
  const unread = rows.filter(({ id }) => !bodies.has(id));
  const labelled = rows.flatMap(({ id }) => {
    const key = labelKey(facts.plan.id, bodies.get(id) ?? '');
    return key === null ? [] : [{ id, key }];
  });
  const comments = idsByKey(labelled);
  const documents = idsByKey(
    hasSubtasks(rest) ? [] : ofKind(rest, 'document').map(({ id, label }) => ({ id, key: label })),
  );
  const keys = new Set(ofKind(rest, 'document').map(({ label }) => label));
  const files = facts.manifests.rest && new Set(facts.manifests.rest.files.map(({ path }) => path));
  return {
    comments,
    documents,
    has: (effect) => {
      if (effect.kind === 'document') return keys.has(effect.key);
      if (effect.kind === 'file') return files?.has(effect.path) ?? null;
      return comments.has(effect.key) || (unread.length === 0 ? false : null);
    },
    unread: unread.map(({ id }) => id),
  };
}

/** The key of the label that ends a text; null when none does. A label that somebody quotes is followed by more. */
function labelKey(task: string, body: string): string | null {
  const end = /\[effect \S+\/(\S+)\]$/.exec(body.trim());
  return end?.[1] !== undefined && end[0] === marker.effect(task, end[1]) ? end[1] : null;
}

/** Whether the rows are those of more than one issue. */
export function hasSubtasks(truth: TaskTruth): boolean {
  return ofKind(truth, 'subtask').length > 0;
}

function ofKind({ durables }: TaskTruth, kind: TruthDurable['kind']): readonly TruthDurable[] {
  return durables.filter((durable) => durable.kind === kind);
}

function idsByKey(
  things: readonly { readonly id: string; readonly key: string }[],
): ReadonlyMap<string, readonly string[]> {
  return new Map([...groupBy(things, ({ key }) => key)].map(([key, group]) => [key, group.map(({ id }) => id)]));
}
