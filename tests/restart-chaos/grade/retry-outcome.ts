/** What became of the board's Retry clicks. Success is an agent process with output, not a 200 and not a row. */
import type { TaskFacts } from '../model/facts.ts';
import { activitiesOf } from './activity.ts';
import { downWindows } from './observation.ts';
import { afterUncovered } from './time-windows.ts';
import { eventsOf, watchEndMs, type EventOf } from './timeline.ts';

export interface RetryClick {
  readonly event: EventOf<'retry_clicked'>;
  /**
   * `refused`: the plane said no. `unanswered`: it may have happened, nobody knows. `dead`: accepted, and no output
   * in time. `working`: output followed. `cut_off`: accepted, and the watch ended before the time was over.
   */
  readonly outcome: 'refused' | 'unanswered' | 'dead' | 'working' | 'cut_off';
}

/** Every click with its outcome, in order. */
export function retryClicks(facts: TaskFacts): readonly RetryClick[] {
  return eventsOf(facts, 'retry_clicked').map((event) => ({ event, outcome: outcomeOf(facts, event) }));
}

function outcomeOf(facts: TaskFacts, click: EventOf<'retry_clicked'>): RetryClick['outcome'] {
  if (click.answer !== null && !click.answer.accepted) return 'refused';
  const dueMs = afterUncovered(click.atMs, facts.numbers.retryStartMs, downWindows(facts));
  if (showsOutput(facts, click, dueMs)) return 'working';
  if (click.answer === null) return 'unanswered';
  return watchEndMs(facts) < dueMs ? 'cut_off' : 'dead';
}

/** Output of the run that the click named, or of any run that was not there when Retry was offered. */
function showsOutput(facts: TaskFacts, click: EventOf<'retry_clicked'>, dueMs: number): boolean {
  const offers = eventsOf(facts, 'retry_offered').filter((offer) => offer.atMs <= click.atMs);
  const offeredMs = offers.at(-1)?.atMs ?? click.atMs;
  const before = new Set<string | null>([
    click.offer.runId,
    ...eventsOf(facts, 'run_seen').flatMap(({ atMs, run }) => (atMs <= offeredMs ? [run.id] : [])),
    ...eventsOf(facts, 'beacon').flatMap(({ atMs, beacon }) => (atMs <= offeredMs ? [beacon.runId] : [])),
  ]);
  return activitiesOf(facts).some(
    ({ atMs, runId }) =>
      atMs > offeredMs && atMs <= dueMs && (runId === (click.answer?.runId ?? undefined) || !before.has(runId)),
  );
}
