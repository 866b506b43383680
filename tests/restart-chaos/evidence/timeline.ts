/** The part of a wave's events that concerns one task, and the views a board user had at its end. Pure. */
import type { WaveEvent } from '../model/event.ts';
import type { TaskId } from '../model/ids.ts';
import type { CommentView, DocumentView, IssueView, RunView } from '../model/view.ts';

/** Events of the task and of the whole wave, in order. */
export function eventsOfTask(events: readonly WaveEvent[], task: TaskId): readonly WaveEvent[] {
  return events.filter((event) => !('task' in event) || event.task === task);
}

/** What was last seen of a task. A part that no look ever read is null; one that was read and empty is empty. */
export interface LastViews {
  readonly issue: IssueView | null;
  readonly runs: readonly RunView[] | null;
  readonly comments: readonly CommentView[] | null;
  readonly documents: readonly DocumentView[] | null;
}

/** Merges the `…_seen` events: the last state of each thing, in the order in which the things were first seen. */
export function lastViews(timeline: readonly WaveEvent[]): LastViews {
  let issue: IssueView | null = null;
  let everRead = false;
  const runs = new Map<string, RunView>();
  const comments = new Map<string, CommentView>();
  const documents = new Map<string, DocumentView>();
  for (const event of timeline) {
    if (event.kind === 'poll' && event.outcome === 'ok') everRead = true;
    if (event.kind === 'issue_seen') issue = event.issue;
    if (event.kind === 'run_seen') runs.set(event.run.id, event.run);
    if (event.kind === 'comment_seen') comments.set(event.comment.id, event.comment);
    if (event.kind === 'document_seen') documents.set(event.document.key, event.document);
  }
  const list = <T>(seen: ReadonlyMap<string, T>): readonly T[] | null =>
    everRead || seen.size > 0 ? [...seen.values()] : null;
  return { issue, runs: list(runs), comments: list(comments), documents: list(documents) };
}
