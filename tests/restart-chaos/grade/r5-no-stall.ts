/**
 * R5 no stall: no stretch longer than the stall limit without progress and without a named wait. The clock starts at
 * the latest of progress, fault end, due time and human input. Time in which our fault holds the plane down, time
 * that nobody watched, and time after the issue is final do not count.
 */
import type { TaskFacts } from '../model/facts.ts';
import { judged, pass, unknown, type Finding, type RuleResult } from '../model/finding.ts';
import { seconds } from './finding-text.ts';
import { namedWaits } from './named-waits.ts';
import { blindWindows, downWindows } from './observation.ts';
import { humanInputsMs, progressMs } from './progress.ts';
import { stallReason } from './stall-reason.ts';
import { mergeWindows, type TimeWindow } from './time-windows.ts';
import { createdAtMs, restOf, watchEndMs } from './timeline.ts';

/** Judges the longest stretch. */
export function r5NoStall(facts: TaskFacts): RuleResult {
  const stretches = quietStretches(facts);
  const longest = stretches.toSorted((left, right) => lengthOf(right) - lengthOf(left))[0];
  if (longest === undefined) return unknown('R5', 'nothing of the task was watched');
  if (lengthOf(longest) > facts.numbers.stallLimitMs) return judged('R5', [stalled(facts, longest)]);
  const rest = restOf(facts);
  if (rest?.rest.reason !== 'stalled') return pass('R5');
  const claimed = { fromMs: rest.rest.sinceMs, toMs: rest.atMs };
  if (isBorneOut(facts, claimed, stretches.at(-1))) return judged('R5', [stalled(facts, claimed)]);
  return unknown(
    'R5',
    `the observer gave up on a stall that the timeline does not show (longest ${seconds(lengthOf(longest))})`,
  );
}

/** Stretches without progress in which progress was due. */
function quietStretches(facts: TaskFacts): readonly TimeWindow[] {
  const created = createdAtMs(facts);
  if (created === null) return [];
  const endMs = watchEndMs(facts);
  const excused = mergeWindows([...downWindows(facts), ...blindWindows(facts), ...namedWaits(facts)]);
  const starts = [created, ...progressMs(facts), ...humanInputsMs(facts), ...excused.map(({ toMs }) => toMs)]
    .filter((ms) => ms >= created && ms <= endMs && !excused.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs))
    .sort((left, right) => left - right);
  const stops = [...starts, ...excused.map(({ fromMs }) => fromMs), endMs];
  return starts.map((fromMs) => ({ fromMs, toMs: Math.min(...stops.filter((ms) => ms > fromMs), endMs) }));
}

/**
 * Whether the timeline shows the stall that the observer gave up on. It counts from its own looks, which come slowly
 * while a fault is in progress, so its stall may begin before the last stretch that we see.
 */
function isBorneOut(facts: TaskFacts, claimed: TimeWindow, last: TimeWindow | undefined): boolean {
  const { stallLimitMs, pollIntervalMs, faultPollFactor } = facts.numbers;
  const toleranceMs = Math.min(stallLimitMs / 2, (faultPollFactor + 1) * pollIntervalMs);
  if (last === undefined || lengthOf(claimed) < stallLimitMs) return false;
  return last.toMs === claimed.toMs && last.fromMs <= claimed.fromMs + toleranceMs;
}

function lengthOf(stretch: TimeWindow): number {
  return stretch.toMs - stretch.fromMs;
}

function stalled(facts: TaskFacts, stretch: TimeWindow): Finding {
  return {
    rule: 'R5',
    code: 'stalled',
    expected: `progress or a named wait within ${seconds(facts.numbers.stallLimitMs)}`,
    seen: `nothing for ${seconds(lengthOf(stretch))}: ${stallReason(facts, stretch.toMs)}`,
    atMs: stretch.fromMs,
    ids: [],
    evidence: ['timeline.jsonl', 'truth.json'],
  };
}
