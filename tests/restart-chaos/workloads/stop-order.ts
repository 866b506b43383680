/**
 * The board's Stop of a task as it can be judged later: whether the plane took it, which run it was for, and the time in
 * which nothing may run. That time ends with the comment that asks to go on, by the plane's own clock.
 */
import { marker } from '../model/card.ts';
import type { WaveEvent } from '../model/event.ts';
import type { TaskFacts } from '../model/facts.ts';
import type { CommentView, RunView } from '../model/view.ts';

export interface StopOrder {
  readonly runId: string;
  /** When it was pressed, on the wave's clock. */
  readonly askedAtMs: number;
  /** The same in milliseconds since 1970. */
  readonly askedWallMs: number;
  /** What the plane answered; null when no answer came. */
  readonly accepted: boolean | null;
  /** The comment that lifts it; null while the plane has none. */
  readonly lift: CommentView | null;
}

/** The Stop, or null when none was pressed. */
export function stopOrderOf(facts: TaskFacts): StopOrder | null {
  const event = facts.timeline.find(
    (each): each is Extract<WaveEvent, { kind: 'stop' }> => each.kind === 'stop' && each.task === facts.plan.id,
  );
  if (event === undefined) return null;
  const { runId, askedAtMs, accepted } = event;
  const askedWallMs = Date.parse(event.wall) - (event.atMs - askedAtMs);
  return { runId, askedAtMs, askedWallMs, accepted, lift: liftOf(facts) };
}

/** Looked for by its text, too: a request that got no answer may have been carried out all the same. */
function liftOf(facts: TaskFacts): CommentView | null {
  const ids = facts.timeline.flatMap((event) =>
    event.kind === 'follow_up_sent' && event.task === facts.plan.id && event.what === 'continue'
      ? [event.commentId]
      : [],
  );
  const text = marker.continue(facts.plan.nonce);
  return (
    facts.comments?.find(({ id }) => ids.includes(id)) ??
    facts.comments?.find(({ authorType, body }) => authorType !== 'agent' && body.includes(text)) ??
    null
  );
}

/** Whether the Stop counts: the plane accepted it, or gave no answer and carried it out all the same. */
export function isInForce({ accepted, runId }: StopOrder, runs: readonly RunView[]): boolean {
  return accepted ?? runs.some(({ id, status }) => id === runId && status === 'cancelled');
}

/** Runs that came to be while nothing of the task was to run. */
export function runsUnderStop({ askedWallMs, lift }: StopOrder, runs: readonly RunView[]): readonly RunView[] {
  const untilMs = lift === null ? Number.POSITIVE_INFINITY : Date.parse(lift.createdAt);
  return runs.filter(({ createdAt }) => Date.parse(createdAt) > askedWallMs && Date.parse(createdAt) < untilMs);
}
