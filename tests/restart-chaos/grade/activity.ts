/**
 * Signs that an agent works: what its process told the harness after its start, or output that the plane shows.
 * A row that says "running" is none, and neither is a process that only started.
 */
import type { Beacon } from '../model/event.ts';
import type { TaskFacts } from '../model/facts.ts';
import type { RunView } from '../model/view.ts';
import { eventsOf } from './timeline.ts';

export interface Activity {
  readonly atMs: number;
  readonly runId: string | null;
}

const idleMoments: readonly Beacon['moment'][] = ['started', 'outage', 'ending'];

/** Every sign of work, by time. */
export function activitiesOf(facts: TaskFacts): readonly Activity[] {
  const told = eventsOf(facts, 'beacon')
    .filter(({ beacon }) => !idleMoments.includes(beacon.moment))
    .map(({ atMs, beacon }) => ({ atMs, runId: beacon.runId }));
  return [...told, ...outputsOf(facts)].sort((left, right) => left.atMs - right.atMs);
}

/** The looks that found more output of a run than the look before. */
export function outputsOf(facts: TaskFacts): readonly Activity[] {
  const previous = new Map<string, RunView>();
  return eventsOf(facts, 'run_seen').flatMap(({ atMs, run }) => {
    const before = previous.get(run.id) ?? null;
    previous.set(run.id, run);
    return hasMoreOutput(run, before) ? [{ atMs, runId: run.id }] : [];
  });
}

function hasMoreOutput(run: RunView, before: RunView | null): boolean {
  if (run.outputSeq !== null) return run.outputSeq > (before?.outputSeq ?? 0);
  return run.lastOutputAt !== null && run.lastOutputAt !== (before?.lastOutputAt ?? null);
}
