/** Which comments, documents, attachments, subtasks, approvals and interactions of before are gone at rest. */
import type { TaskFacts } from '../model/facts.ts';
import type { TaskTruth, TruthDurable } from '../model/truth.ts';
import { eventsOf } from './timeline.ts';

export interface Loss {
  readonly kind: TruthDurable['kind'] | 'file';
  readonly id: string;
  /** `gone`, `changed` … in words. */
  readonly how: string;
}

export interface Losses {
  readonly lost: readonly Loss[];
  /** What could not be read, and so could not be compared. */
  readonly missing: readonly string[];
}

/** Rows before against rows at rest. A row whose hash is null may change. */
export function lostDurables(before: readonly TruthDurable[], rest: readonly TruthDurable[] | null): Losses {
  if (rest === null) return { lost: [], missing: ['the rows at rest could not be read'] };
  const atRest = new Map(rest.map((durable) => [`${durable.kind}/${durable.id}`, durable]));
  const lost = before.flatMap((durable): Loss[] => {
    const now = atRest.get(`${durable.kind}/${durable.id}`);
    if (now === undefined) return [{ kind: durable.kind, id: durable.id, how: `gone: ${durable.label}` }];
    const changed = durable.hash !== null && now.hash !== null && durable.hash !== now.hash;
    return changed ? [{ kind: durable.kind, id: durable.id, how: `changed: ${durable.label}` }] : [];
  });
  return { lost, missing: [] };
}

/**
 * Comments that the board showed before `faultAtMs`, against the rows at rest. The hash of a body says nothing here:
 * a comment changed when the board showed it with another body later.
 */
export function lostComments(facts: TaskFacts, faultAtMs: number): Losses {
  const looks = eventsOf(facts, 'comment_seen');
  const seen = looks.filter(({ atMs }) => atMs < faultAtMs);
  const there = facts.truth.rest && new Set(ofKind(facts.truth.rest, 'comment').map(({ id }) => id));
  const lost = seen.flatMap(({ comment }): Loss[] => {
    if (there && !there.has(comment.id)) return [{ kind: 'comment', id: comment.id, how: 'gone' }];
    const later = looks.filter((look) => look.atMs >= faultAtMs && look.comment.id === comment.id);
    const changed = later.some((look) => look.comment.body !== comment.body);
    return changed ? [{ kind: 'comment', id: comment.id, how: 'changed' }] : [];
  });
  return { lost, missing: [] };
}

/** Documents that the board showed before `faultAtMs`, by key, which is the label of their row. They may change. */
export function lostDocuments(facts: TaskFacts, faultAtMs: number): Losses {
  if (facts.truth.rest === null) return { lost: [], missing: [] };
  const there = new Set(ofKind(facts.truth.rest, 'document').map(({ label }) => label));
  const seen = eventsOf(facts, 'document_seen').filter(({ atMs }) => atMs < faultAtMs);
  const gone = new Set(seen.map(({ document }) => document.key).filter((key) => !there.has(key)));
  return { lost: [...gone].map((id) => ({ kind: 'document', id, how: 'gone' })), missing: [] };
}

function ofKind(truth: TaskTruth, kind: TruthDurable['kind']): readonly TruthDurable[] {
  return truth.durables.filter((durable) => durable.kind === kind);
}
