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
  if (lengthOf(longest) > limitFor(facts, longest)) return judged('R5', [stalled(facts, longest)]);
  if (restOf(facts)?.rest.reason !== 'stalled') return pass('R5');
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

/** The observer counts from its own looks: its verdict of a stall may come up to two looks early on our count. */
function limitFor(facts: TaskFacts, stretch: TimeWindow): number {
  const { stallLimitMs, pollIntervalMs } = facts.numbers;
  const gaveUp = restOf(facts)?.rest.reason === 'stalled' && stretch.toMs === watchEndMs(facts);
  return gaveUp ? Math.max(stallLimitMs / 2, stallLimitMs - 2 * pollIntervalMs) : stallLimitMs;
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
