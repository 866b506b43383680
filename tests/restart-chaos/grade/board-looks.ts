/** What each look of the observer showed of the statuses of a task's issue and runs. */
import type { WaveEvent } from '../model/event.ts';
import type { TaskFacts } from '../model/facts.ts';
import { eventsOf, type EventOf } from './timeline.ts';

export interface BoardLook {
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
  /** Whether every part was read: then what this look did not tell anew is as it was. */
  readonly isWhole: boolean;
  /** By id of the issue or run: what this look or an earlier one showed last. */
  readonly statuses: ReadonlyMap<string, string>;
  /** Ids that this look itself told of, because something about them had changed. */
  readonly told: ReadonlySet<string>;
}

type LookEvent = EventOf<'poll'> | EventOf<'issue_seen'> | EventOf<'run_seen'>;

/** Every look, in order. What a look saw is told right after it. */
export function boardLooks(facts: TaskFacts): readonly BoardLook[] {
  const events: readonly LookEvent[] = [
    ...eventsOf(facts, 'poll'),
    ...eventsOf(facts, 'issue_seen'),
    ...eventsOf(facts, 'run_seen'),
  ].toSorted(byTime);
  const polls = events.flatMap((event, index) => (event.kind === 'poll' ? [{ poll: event, index }] : []));
  let statuses: ReadonlyMap<string, string> = new Map();
  return polls.map(({ poll, index }, number) => {
    const told = events.slice(index + 1, polls[number + 1]?.index).flatMap(thingOf);
    statuses = new Map([...statuses, ...told]);
    const { askedAtMs, answeredAtMs, outcome } = poll;
    return { askedAtMs, answeredAtMs, isWhole: outcome === 'ok', statuses, told: new Set(told.map(([id]) => id)) };
  });
}

function thingOf(event: LookEvent): readonly (readonly [id: string, status: string])[] {
  if (event.kind === 'issue_seen') return [[event.issue.id, event.issue.status]];
  return event.kind === 'run_seen' ? [[event.run.id, event.run.status]] : [];
}

function byTime(left: WaveEvent, right: WaveEvent): number {
  return left.atMs - right.atMs || left.seq - right.seq;
}
