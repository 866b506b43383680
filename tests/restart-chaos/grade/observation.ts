/** When a task could be seen, and when nobody looked: the oracle may only speak of time that was watched. */
import type { TaskFacts } from '../model/facts.ts';
import { mergeWindows, uncoveredMs, type TimeWindow } from './time-windows.ts';
import { createdAtMs, eventsOf, watchEndMs } from './timeline.ts';

/**
 * The time in which a fault of ours held the plane down or disturbed its database, from its start to ready again. A
 * plane whose database is slow or away may stand still: that is our doing.
 */
export function downWindows(facts: TaskFacts): readonly TimeWindow[] {
  return mergeWindows(
    facts.faults.map((fault) => ({
      fromMs: fault.startedAtMs,
      toMs: fault.readyAtMs ?? fault.endedAtMs ?? Number.POSITIVE_INFINITY,
    })),
  );
}

/** Moments at which a look at the task read every part of it. */
export function goodLooksMs(facts: TaskFacts): readonly number[] {
  return eventsOf(facts, 'poll')
    .filter((poll) => poll.outcome === 'ok')
    .map((poll) => poll.answeredAtMs);
}

/**
 * Stretches of the task's life without one good look that are longer than ten poll intervals and one request limit
 * (so that a single request that timed out is no gap). Time in which our fault held the plane down does not count, and
 * beside a fault one slow look more is allowed for.
 */
export function blindWindows(facts: TaskFacts): readonly TimeWindow[] {
  const created = createdAtMs(facts);
  if (created === null) return [];
  const end = watchEndMs(facts);
  const { pollIntervalMs, requestTimeoutMs, faultPollFactor } = facts.numbers;
  const limitMs = 10 * pollIntervalMs + requestTimeoutMs;
  const down = downWindows(facts);
  const looks = [created, ...goodLooksMs(facts).filter((ms) => ms > created && ms < end), end].sort((a, b) => a - b);
  return looks
    .slice(1)
    .map((toMs, index) => ({ fromMs: looks[index] ?? toMs, toMs }))
    .filter((window) => {
      const openMs = uncoveredMs(window, down);
      const besideFault = openMs < window.toMs - window.fromMs;
      return openMs > limitMs + (besideFault ? faultPollFactor * pollIntervalMs : 0);
    });
}
