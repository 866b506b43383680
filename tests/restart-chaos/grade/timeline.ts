/** Reading a task's timeline: events by kind, and the two ends of the task's life. */
import type { WaveEvent } from '../model/event.ts';
import type { TaskFacts } from '../model/facts.ts';

/** The event of one kind. */
export type EventOf<Kind extends WaveEvent['kind']> = Extract<WaveEvent, { readonly kind: Kind }>;

/** Events of one kind that concern the task or the whole wave, by time, then by number. */
export function eventsOf<Kind extends WaveEvent['kind']>(facts: TaskFacts, kind: Kind): readonly EventOf<Kind>[] {
  return facts.timeline
    .filter((event): event is EventOf<Kind> => event.kind === kind && concerns(facts, event))
    .sort((left, right) => left.atMs - right.atMs || left.seq - right.seq);
}

function concerns(facts: TaskFacts, event: WaveEvent): boolean {
  return !('task' in event) || event.task === facts.plan.id;
}

/** When the plane had answered that the issue exists; null when it never did. */
export function createdAtMs(facts: TaskFacts): number | null {
  return eventsOf(facts, 'task_created')[0]?.atMs ?? null;
}

/** Why and in which state the harness stopped watching the task; null when the wave died first. */
export function restOf(facts: TaskFacts): EventOf<'rest'> | null {
  return eventsOf(facts, 'rest')[0] ?? null;
}

/** Whether the task was cut off by an interrupt of the wave: its end was never watched. */
export function wasInterrupted(facts: TaskFacts): boolean {
  return eventsOf(facts, 'task_unfinished_at_interrupt').length > 0 || restOf(facts)?.rest.reason === 'interrupt';
}

/** Whether the watch ended because the wave did, by an interrupt, with the plane or with the harness: how the task would have ended is open. */
export function wasCutOff(facts: TaskFacts): boolean {
  const rest = restOf(facts);
  return rest === null || rest.rest.reason === 'plane_lost' || wasInterrupted(facts);
}

/** The end of the watch: rest, or the last thing the log holds when the wave died before it. */
export function watchEndMs(facts: TaskFacts): number {
  const lastMs = facts.timeline.reduce((latest, event) => Math.max(latest, event.atMs), 0);
  return restOf(facts)?.atMs ?? eventsOf(facts, 'task_unfinished_at_interrupt')[0]?.atMs ?? lastMs;
}
