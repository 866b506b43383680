/**
 * Time in which a task may be quiet: it waits for a retry with a due time or for a live blocker, or it is over. A wait
 * has a reason on record and a way out; "blocked by a blocked issue" has none, nor has a retry without a due time.
 */
import type { TaskFacts } from '../model/facts.ts';
import { isTerminalIssueStatus, type IssueView } from '../model/view.ts';
import type { TimeWindow } from './time-windows.ts';
import { eventsOf, watchEndMs } from './timeline.ts';
import { waveClock } from './wall-time.ts';

/** Windows in which nothing is due, in no order. */
export function namedWaits(facts: TaskFacts): readonly TimeWindow[] {
  return [...issueWaits(facts), ...runWaits(facts)];
}

function issueWaits(facts: TaskFacts): readonly TimeWindow[] {
  const clock = waveClock(facts.timeline);
  const ownId = eventsOf(facts, 'task_created')[0]?.issueId;
  const seen = eventsOf(facts, 'issue_seen').filter(({ issue }) => issue.id === ownId);
  return seen.flatMap(({ atMs, issue }, index) => {
    const untilMs = seen[index + 1]?.atMs ?? watchEndMs(facts);
    if (isTerminalIssueStatus(issue.status) || hasLiveBlocker(issue)) return [{ fromMs: atMs, toMs: untilMs }];
    const dueMs = clock.toWaveMs(issue.scheduledRetry?.dueAt ?? null);
    return dueMs === null ? [] : [{ fromMs: atMs, toMs: Math.min(dueMs, untilMs) }];
  });
}

function hasLiveBlocker(issue: IssueView): boolean {
  return issue.blockedBy.some(({ status }) => !isTerminalIssueStatus(status) && status !== 'blocked');
}

function runWaits(facts: TaskFacts): readonly TimeWindow[] {
  const clock = waveClock(facts.timeline);
  const seen = eventsOf(facts, 'run_seen');
  return seen.flatMap(({ atMs, run }, index) => {
    const dueMs = clock.toWaveMs(run.scheduledRetryAt);
    if (run.status !== 'scheduled_retry' || dueMs === null) return [];
    const next = seen.slice(index + 1).find((later) => later.run.id === run.id);
    return [{ fromMs: atMs, toMs: Math.min(dueMs, next?.atMs ?? watchEndMs(facts)) }];
  });
}
