/** Why a stalled task seems to stand still, as far as the board and the rows show it: for people, never for the code. */
import type { TaskFacts } from '../model/facts.ts';
import type { IssueView, RunView } from '../model/view.ts';
import { eventsOf, watchEndMs } from './timeline.ts';

/** What was seen of wakes, runs and the issue at `atMs`, in words. */
export function stallReason(facts: TaskFacts, atMs: number): string {
  const reasons = [...wakeReasons(facts, atMs), ...runReasons(facts, atMs), ...issueReasons(facts, atMs)];
  return reasons.length === 0 ? 'no wake, no run and no reason on record' : reasons.join('; ');
}

/** Rows are read at rest only: they say nothing about a stretch that ended before. */
function wakeReasons(facts: TaskFacts, atMs: number): readonly string[] {
  if (atMs < watchEndMs(facts)) return [];
  return (facts.truth.rest?.wakes ?? []).flatMap(({ id, status, reason, finishedAt }) => {
    if (finishedAt !== null) return [];
    const named = `wake ${id} (${reason ?? 'no reason'})`;
    if (status.startsWith('deferred')) return [`${named} exists but is deferred`];
    return status === 'claimed' || status === 'queued' ? [`${named} is ${status}`] : [];
  });
}

function runReasons(facts: TaskFacts, atMs: number): readonly string[] {
  const latest = new Map<string, RunView>();
  for (const event of eventsOf(facts, 'run_seen')) if (event.atMs <= atMs) latest.set(event.run.id, event.run);
  return [...latest.values()].flatMap((run) => {
    if (run.status === 'queued') return [`run ${run.id} is queued and was not started`];
    if (run.status === 'running') return [`run ${run.id} is running without output`];
    if (run.status !== 'scheduled_retry') return [];
    return [`run ${run.id} waits for a retry ${run.scheduledRetryAt === null ? 'without a due time' : 'that was due'}`];
  });
}

function issueReasons(facts: TaskFacts, atMs: number): readonly string[] {
  const issue = eventsOf(facts, 'issue_seen').findLast((event) => event.atMs <= atMs)?.issue;
  return issue === undefined ? [] : [...blockerReasons(issue), `the issue is ${issue.status}`];
}

function blockerReasons(issue: IssueView): readonly string[] {
  const blocked = issue.blockedBy.filter(({ status }) => status === 'blocked').map(({ id }) => id);
  return [
    ...(issue.executionBlocker === null ? [] : [`execution is blocked: ${issue.executionBlocker.cause}`]),
    ...(blocked.length === 0 ? [] : [`blocked by ${blocked.join(', ')}, which is blocked itself`]),
  ];
}
