/**
 * Which of the faults that crossed a task a failure is named after: the last one that struck before the failure was
 * seen and before the task's status or that of one of its runs changed for the last time. What strikes later meets a task whose fate was sealed,
 * and naming the failure after it as well would give one defect a dozen names.
 */
import type { FaultRecord, TaskFacts } from '../model/facts.ts';
import { crossingsOf } from './crossing.ts';
import { eventsOf } from './timeline.ts';

/**
 * `findingAtMs` is null for a failure without a moment. Null when no fault crossed the task; the first one when all
 * of them struck later.
 */
export function decisiveFault(facts: TaskFacts, findingAtMs: number | null): FaultRecord | null {
  const { crossed } = crossingsOf(facts);
  const sealedAtMs = Math.min(lastStatusChangeMs(facts), findingAtMs ?? Number.POSITIVE_INFINITY);
  const before = crossed.filter(({ fault }) => (fault.struckAtMs ?? fault.startedAtMs) <= sealedAtMs);
  return (before.at(-1) ?? crossed[0])?.fault ?? null;
}

function lastStatusChangeMs(facts: TaskFacts): number {
  const statuses = new Map<string, string>();
  let lastMs = 0;
  const seen = [
    ...eventsOf(facts, 'issue_seen').map(({ atMs, issue }) => ({ atMs, id: issue.id, status: issue.status })),
    ...eventsOf(facts, 'run_seen').map(({ atMs, run }) => ({ atMs, id: run.id, status: run.status })),
  ].toSorted((left, right) => left.atMs - right.atMs);
  for (const { atMs, id, status } of seen) {
    if (statuses.get(id) !== status) lastMs = atMs;
    statuses.set(id, status);
  }
  return lastMs;
}
