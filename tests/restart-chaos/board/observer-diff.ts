import type { TaskEvent } from '../model/event.ts';
import type { TaskId } from '../model/ids.ts';
import type { CommentView, DocumentView, IssueView, RunView } from '../model/view.ts';

/** The parts of a look that were read. */
export interface SeenParts {
  readonly issue: IssueView | null;
  readonly runs: readonly RunView[] | null;
  readonly comments: readonly CommentView[] | null;
  readonly documents: readonly DocumentView[] | null;
}

/** Text of the last known form of each thing, by kind and id. Things that vanish stay known. */
export type Seen = ReadonlyMap<string, string>;

export interface Changes {
  readonly events: readonly TaskEvent[];
  readonly seen: Seen;
}

export const nothingSeen: Seen = new Map();

/**
 * What a look shows that the looks before it did not: one event for each thing that is new or differs, issue first,
 * then runs, comments, documents in the order given. A part that was not read changes nothing.
 */
export function changesSince(seen: Seen, parts: SeenParts, task: TaskId): Changes {
  const candidates: readonly (readonly [string, TaskEvent])[] = [
    ...(parts.issue === null ? [] : [['issue', { kind: 'issue_seen', task, issue: parts.issue }] as const]),
    ...(parts.runs ?? []).map((run) => [`run ${run.id}`, { kind: 'run_seen', task, run }] as const),
    ...(parts.comments ?? []).map(
      (comment) => [`comment ${comment.id}`, { kind: 'comment_seen', task, comment }] as const,
    ),
    ...(parts.documents ?? []).map(
      (document) => [`document ${document.key}`, { kind: 'document_seen', task, document }] as const,
    ),
  ];
  const now = new Map(seen);
  const events: TaskEvent[] = [];
  for (const [key, event] of candidates) {
    const form = JSON.stringify(event);
    if (now.get(key) === form) continue;
    now.set(key, form);
    events.push(event);
  }
  return { events, seen: now };
}
