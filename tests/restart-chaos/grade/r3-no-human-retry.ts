/**
 * R3 no human Retry needed: the task went on by itself. One Retry is clicked when the plane offers it, so that the
 * wave learns whether it works; that click is itself a failure. A task that was never crossed and whose runs never
 * failed has nothing to go on from.
 */
import type { TaskFacts } from '../model/facts.ts';
import { judged, pass, unknown, type Finding, type RuleResult } from '../model/finding.ts';
import { isTerminalRunStatus } from '../model/view.ts';
import { crossingsOf } from './crossing.ts';
import { seconds } from './finding-text.ts';
import { retryClicks, type RetryClick } from './retry-outcome.ts';
import { runRows } from './run-rows.ts';
import { eventsOf, restOf, wasCutOff } from './timeline.ts';

/** One code at most: the first of the precedence no_retry_offered, retry_refused, retry_dead, retry_needed. */
export function r3NoHumanRetry(facts: TaskFacts, expectedStatus: string): RuleResult {
  const clicks = retryClicks(facts);
  return clicks.length > 0 ? judged('R3', [afterClicks(facts, clicks)]) : withoutClick(facts, expectedStatus);
}

function afterClicks(facts: TaskFacts, clicks: readonly RetryClick[]): Finding {
  const refused = clicks.find(({ outcome }) => outcome === 'refused');
  if (refused)
    return finding(refused, 'retry_refused', `refused: ${refused.event.answer?.reason ?? 'no reason given'}`);
  const dead = clicks.find(({ outcome }) => outcome === 'dead');
  const within = seconds(facts.numbers.retryStartMs);
  if (dead) return finding(dead, 'retry_dead', `accepted, and no agent process with output within ${within}`);
  const click = clicks.find(({ outcome }) => outcome === 'working') ?? clicks[0];
  return finding(click, 'retry_needed', howItWent(click));
}

function howItWent(click: RetryClick | undefined): string {
  if (click?.outcome === 'working') return 'a Retry was clicked, and an agent worked after it';
  if (click?.outcome === 'cut_off')
    return 'a Retry was clicked and accepted; the watch ended before it could show output';
  return `a Retry was clicked and got no answer: ${click?.event.error ?? 'no reason recorded'}`;
}

function withoutClick(facts: TaskFacts, expectedStatus: string): RuleResult {
  if (wasCutOff(facts)) return unknown('R3', 'the task was cut off before it came to rest');
  const rest = restOf(facts);
  if (rest === null) return unknown('R3', 'the wave ended before the task came to rest');
  const { reason, status } = rest.rest;
  if (status === null) return unknown('R3', 'the status at rest could not be read');
  if (status === expectedStatus) return pass('R3');
  const rows = runRows(facts);
  if (rows === null) return unknown('R3', 'the runs could not be read');
  const cutOff = reason === 'deadline' || reason === 'wave_deadline';
  const atWork = rows.some((row) => !isTerminalRunStatus(row.status));
  if (cutOff && atWork) return unknown('R3', 'a run was not over yet when the deadline ended the watch');
  const failed = rows.some((row) => isTerminalRunStatus(row.status) && row.status !== 'succeeded');
  if (crossingsOf(facts).crossed.length === 0 && !failed) return pass('R3');
  const offer = eventsOf(facts, 'retry_offered').at(-1);
  if (offer !== undefined) return unknown('R3', 'Retry was offered, and the harness did not click it');
  return judged('R3', [neverOffered(status, rest.atMs)]);
}

function neverOffered(status: string, atMs: number): Finding {
  return {
    rule: 'R3',
    code: 'no_retry_offered',
    expected: 'the task goes on by itself; failing that, the board is offered a Retry',
    seen: `rest in ${status}, and no Retry was ever offered`,
    atMs,
    ids: [],
    evidence: ['timeline.jsonl', 'issue.json', 'runs.json'],
  };
}

function finding(click: RetryClick | undefined, code: string, seen: string): Finding {
  const ids = [click?.event.offer.runId, click?.event.answer?.runId].filter((id) => typeof id === 'string');
  return {
    rule: 'R3',
    code,
    expected: 'the task goes on by itself',
    seen,
    atMs: click?.event.atMs ?? null,
    ids,
    evidence: ['timeline.jsonl', 'runs.json'],
  };
}
