/** Speed of one task, and how it went on after its faults: reported, never judged. */
import type { TaskFacts } from '../model/facts.ts';
import type { Continuation, TaskSpeed } from '../model/record.ts';
import { activitiesOf } from './activity.ts';
import { crossingsOf } from './crossing.ts';
import { retryClicks } from './retry-outcome.ts';
import { runRows } from './run-rows.ts';
import { createdAtMs, eventsOf, restOf } from './timeline.ts';
import { waveClock } from './wall-time.ts';

/** The three figures; each null when it did not happen or could not be read. */
export function speedOf(facts: TaskFacts): TaskSpeed {
  return { firstActivityMs: firstActivityMs(facts), resumeMs: resumeMs(facts), restMs: restMs(facts) };
}

/** From the creation of the first run, which is when its time in the queue begins, to its own first activity. */
function firstActivityMs(facts: TaskFacts): number | null {
  const first = firstRun(facts);
  const activity = activitiesOf(facts).find(({ runId }) => runId === first?.id);
  if (first === null || activity === undefined) return null;
  return Math.max(0, Math.round(activity.atMs - first.createdMs));
}

function firstRun(facts: TaskFacts): { readonly id: string; readonly createdMs: number } | null {
  const clock = waveClock(facts.timeline);
  const seen = eventsOf(facts, 'run_seen').map(({ run }) => ({ id: run.id, createdMs: clock.toWaveMs(run.createdAt) }));
  const dated = [...(runRows(facts) ?? []), ...seen].flatMap(({ id, createdMs }) =>
    createdMs === null ? [] : [{ id, createdMs }],
  );
  return dated.sort((left, right) => left.createdMs - right.createdMs)[0] ?? null;
}

/** From ready after the last crossing fault to the first activity of any run after it. */
function resumeMs(facts: TaskFacts): number | null {
  const ready = crossingsOf(facts).crossed.at(-1)?.fault.readyAtMs ?? null;
  const activity = activitiesOf(facts).find(({ atMs }) => ready !== null && atMs >= ready);
  return ready === null || activity === undefined ? null : Math.round(activity.atMs - ready);
}

/** To the beginning of the state the task rested in, so that the length of the rest window does not count. */
function restMs(facts: TaskFacts): number | null {
  const created = createdAtMs(facts);
  const rest = restOf(facts)?.rest;
  if (created === null || (rest?.reason !== 'settled' && rest?.reason !== 'window')) return null;
  return Math.max(0, Math.round(rest.sinceMs - created));
}

/** By itself, by one Retry that worked, or not at all. */
export function continuationOf(facts: TaskFacts, expectedStatus: string): Continuation {
  if (crossingsOf(facts).crossed.length === 0) return 'not_crossed';
  if (restOf(facts)?.rest.status !== expectedStatus) return 'not_at_all';
  return retryClicks(facts).some(({ outcome }) => outcome === 'working') ? 'one_working_retry' : 'automatic';
}
