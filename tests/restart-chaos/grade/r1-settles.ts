/**
 * R1 settles: before its deadline the task rests in the status its workload expects, and stays there: two sweeps of
 * the plane later it still is.
 */
import type { TaskFacts } from '../model/facts.ts';
import { judged, pass, unknown, type Finding, type RuleResult } from '../model/finding.ts';
import { seconds } from './finding-text.ts';
import { createdAtMs, eventsOf, restOf, wasInterrupted, watchEndMs, type EventOf } from './timeline.ts';

/** Judges the state of the issue at rest and after it. */
export function r1Settles(facts: TaskFacts, expectedStatus: string): RuleResult {
  const rest = restOf(facts);
  if (wasInterrupted(facts)) return judged('R1', [unfinishedAtInterrupt(facts, expectedStatus)]);
  if (rest === null) return withoutRest(facts, expectedStatus);
  const { reason, status, sinceMs } = rest.rest;
  if (reason === 'plane_lost') return unknown('R1', 'the plane was lost before the task came to rest');
  const deadline = deadlineMs(facts);
  if (reason === 'deadline' || reason === 'wave_deadline' || (deadline !== null && sinceMs > deadline)) {
    return judged('R1', [timedOut(facts, expectedStatus, `${reason}, status ${status ?? 'not readable'}`)]);
  }
  if (status === null) return unknown('R1', 'the status at rest could not be read');
  if (status !== expectedStatus) return judged('R1', [rested(facts, rest, status, expectedStatus)]);
  return stays(facts, rest.atMs, expectedStatus);
}

function withoutRest(facts: TaskFacts, expectedStatus: string): RuleResult {
  const deadline = deadlineMs(facts);
  const overdue = deadline !== null && watchEndMs(facts) > deadline;
  if (overdue) return judged('R1', [timedOut(facts, expectedStatus, 'no rest in the log')]);
  return unknown('R1', 'the wave ended before the task came to rest');
}

function stays(facts: TaskFacts, restedAtMs: number, expectedStatus: string): RuleResult {
  const rechecks = eventsOf(facts, 'recheck');
  const later = ofOwnIssue(facts).filter(({ atMs }) => atMs > restedAtMs);
  const seen = [
    ...rechecks.map(({ atMs, status }) => ({ atMs, status })),
    ...later.map(({ atMs, issue }) => ({ atMs, status: issue.status })),
  ];
  const left = seen.find(({ status }) => status !== null && status !== expectedStatus);
  if (left !== undefined) return judged('R1', [reopened(left.atMs, left.status ?? '', expectedStatus)]);
  if (rechecks.some(({ status }) => status !== null)) return pass('R1');
  const why = rechecks[0]?.error ?? 'the second look after rest was never taken';
  return unknown('R1', `whether it stayed ${expectedStatus} could not be seen: ${why}`);
}

function deadlineMs(facts: TaskFacts): number | null {
  const created = createdAtMs(facts);
  return created === null ? null : created + facts.plan.deadlineMs;
}

function unfinishedAtInterrupt(facts: TaskFacts, expectedStatus: string): Finding {
  const event = eventsOf(facts, 'task_unfinished_at_interrupt')[0] ?? restOf(facts);
  const status = event?.kind === 'rest' ? event.rest.status : event?.lastStatus;
  return finding('unfinished_at_interrupt', {
    expected: `rest in ${expectedStatus}`,
    seen: `the wave was interrupted; last status ${status ?? 'not readable'}`,
    atMs: event?.atMs ?? null,
  });
}

function timedOut(facts: TaskFacts, expectedStatus: string, seen: string): Finding {
  return finding('timed_out', {
    expected: `rest in ${expectedStatus} within ${seconds(facts.plan.deadlineMs)} of the issue's creation`,
    seen,
    atMs: watchEndMs(facts),
  });
}

function rested(facts: TaskFacts, { rest }: EventOf<'rest'>, status: string, expectedStatus: string): Finding {
  const sinceMs = seenSinceMs(facts, status) ?? rest.sinceMs;
  return finding(`rested_${status}`, {
    expected: `rest in ${expectedStatus}`,
    seen: `${status} since ${seconds(sinceMs)}, and unchanged from ${seconds(rest.sinceMs)} on (${rest.reason})`,
    atMs: sinceMs,
  });
}

/** When the board first showed the status that the issue still had at rest; null when it showed another one last. */
function seenSinceMs(facts: TaskFacts, status: string): number | null {
  const looks = ofOwnIssue(facts).filter(({ atMs }) => atMs <= watchEndMs(facts));
  const other = looks.findLastIndex(({ issue }) => issue.status !== status);
  return looks[other + 1]?.atMs ?? null;
}

function ofOwnIssue(facts: TaskFacts): readonly EventOf<'issue_seen'>[] {
  const issueId = eventsOf(facts, 'task_created')[0]?.issueId;
  return eventsOf(facts, 'issue_seen').filter(({ issue }) => issue.id === issueId);
}

function reopened(atMs: number, status: string, expectedStatus: string): Finding {
  return finding('reopened', { expected: `still ${expectedStatus} after its rest`, seen: status, atMs });
}

function finding(code: string, said: Pick<Finding, 'expected' | 'seen' | 'atMs'>): Finding {
  return { rule: 'R1', code, ...said, ids: [], evidence: ['timeline.jsonl', 'issue.json'] };
}
