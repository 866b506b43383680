/** What one wave yields an hour, and what its time went to. Pure: a fold over the wave's record and events. */
import type { WaveEvent } from '../../tests/restart-chaos/model/event.ts';
import type { TaskId } from '../../tests/restart-chaos/model/ids.ts';
import type { WaveRecord } from '../../tests/restart-chaos/model/record.ts';
import { spreadOf } from './statistics.ts';

export interface WaveFigures {
  readonly tasks: number;
  /** Tasks that a fault crossed and that were graded pass or fail. */
  readonly gradedCrossings: number;
  readonly perHour: number;
  /** Share of all tasks whose verdict says nothing about the plane. */
  readonly unknownShare: number;
  /** Tasks that came to rest before any fault struck. */
  readonly notCrossed: number;
  /** Median of the looks in which everything was read; NaN when there was none. */
  readonly pollMs: number;
  /** Place-time (a place is one of the concurrent tasks) by what it went to, largest first; adds up to 1. */
  readonly shares: readonly TimeShare[];
}

export interface TimeShare {
  readonly what: TimeUse;
  readonly share: number;
}

/** What a place can be busy with. */
export const timeUses = [
  'staging the plane',
  'working before the fault',
  'plane down',
  "waiting for the plane's lease or retry",
  'working after the fault',
  'rest window',
  'collecting',
  'free while others work',
  'second look and close',
] as const;
export type TimeUse = (typeof timeUses)[number];

/** `elapsedMs`: from the start of the command to its end, which is what an hour is made of. */
export function figuresOf(wave: {
  readonly record: WaveRecord;
  readonly events: readonly WaveEvent[];
  readonly concurrency: number;
  readonly elapsedMs: number;
}): WaveFigures {
  const { record, events, elapsedMs } = wave;
  const grades = record.tasks.map(({ grade }) => grade);
  const crossed = grades.filter(({ crossedBy }) => crossedBy.length > 0);
  const graded = crossed.filter(({ verdict }) => verdict === 'pass' || verdict === 'fail').length;
  const without = grades.filter(({ verdict }) => verdict === 'unknown' || verdict === 'invalid').length;
  const polls = events.flatMap((event) =>
    event.kind === 'poll' && event.outcome === 'ok' ? [event.answeredAtMs - event.askedAtMs] : [],
  );
  return {
    tasks: grades.length,
    gradedCrossings: graded,
    perHour: (graded * 3_600_000) / elapsedMs,
    unknownShare: without / Math.max(1, grades.length),
    notCrossed: grades.length - crossed.length,
    pollMs: spreadOf(polls).median,
    shares: sharesOf(wave),
  };
}

/** Names what keeps the yield from being higher: the processors, or the largest use of time. */
export function boundOf(figures: Pick<WaveFigures, 'shares'>, processorShare: number): string {
  const largest = figures.shares[0];
  // Two processors that are in use for more than this are seldom free at the same moment.
  if (processorShare >= 0.85) return `processors (${percent(processorShare)} in use)`;
  if (largest === undefined) return 'nothing was measured';
  return `${largest.what} (${percent(largest.share)} of the time)`;
}

/** `42 %`. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

function sharesOf({ record, events, concurrency, elapsedMs }: Parameters<typeof figuresOf>[0]): readonly TimeShare[] {
  const used = new Map<TimeUse, number>();
  const add = (what: TimeUse, ms: number): void => void used.set(what, (used.get(what) ?? 0) + Math.max(0, ms));
  const lives = record.tasks.flatMap(({ plan }) => lifeOf(plan.id, record, events) ?? []);
  const firstMs = Math.min(elapsedMs, ...lives.map(({ createdMs }) => createdMs));
  const lastMs = Math.max(firstMs, ...lives.map(({ collectedMs }) => collectedMs));
  for (const life of lives) addLife(life, add);
  const busyMs = [...used.values()].reduce((total, ms) => total + ms, 0);
  add('free while others work', (lastMs - firstMs) * concurrency - busyMs);
  add('staging the plane', firstMs * concurrency);
  add('second look and close', (elapsedMs - lastMs) * concurrency);
  const totalMs = [...used.values()].reduce((total, ms) => total + ms, 0);
  return [...used]
    .map(([what, ms]) => ({ what, share: ms / Math.max(1, totalMs) }))
    .toSorted((left, right) => right.share - left.share);
}

interface Life {
  readonly createdMs: number;
  /** The first fault that crossed it; null when none did. */
  readonly fault: { readonly struckMs: number; readonly readyMs: number; readonly resumedMs: number } | null;
  readonly lastChangeMs: number;
  readonly restedMs: number;
  readonly collectedMs: number;
}

/** Null for a task that was never created or never came to rest. */
function lifeOf(task: TaskId, record: WaveRecord, events: readonly WaveEvent[]): Life | null {
  const own = events.filter((event) => 'task' in event && event.task === task);
  const created = own.find((event) => event.kind === 'task_created');
  const rested = own.find((event) => event.kind === 'rest');
  if (created === undefined || rested?.kind !== 'rest') return null;
  const collected = own.findLast((event) => event.kind === 'collected');
  const grade = record.tasks.find(({ plan }) => plan.id === task)?.grade;
  const fault = record.faults.find(({ ref }) => ref === grade?.crossedBy[0]?.ref);
  const lastChangeMs = rested.rest.sinceMs;
  return {
    createdMs: created.atMs,
    fault: faultOf(fault, { resumeMs: grade?.speed.resumeMs ?? null, lastChangeMs }),
    lastChangeMs,
    restedMs: rested.atMs,
    collectedMs: collected?.atMs ?? rested.atMs,
  };
}

function faultOf(
  fault: WaveRecord['faults'][number] | undefined,
  task: { readonly resumeMs: number | null; readonly lastChangeMs: number },
): Life['fault'] {
  const struckMs = fault?.struckAtMs ?? null;
  const readyMs = fault?.readyAtMs ?? null;
  if (struckMs === null || readyMs === null) return null;
  // A task that never went on waited until its state last changed.
  const resumedMs = task.resumeMs === null ? Math.max(readyMs, task.lastChangeMs) : readyMs + task.resumeMs;
  return { struckMs, readyMs, resumedMs };
}

function addLife(life: Life, add: (what: TimeUse, ms: number) => void): void {
  const { createdMs, fault, lastChangeMs, restedMs, collectedMs } = life;
  // A state that has held since before the fault leaves only its window to be waited for.
  const windowFromMs = Math.max(lastChangeMs, fault?.readyMs ?? 0);
  if (fault === null) add('working before the fault', lastChangeMs - createdMs);
  else {
    const resumedMs = Math.min(fault.resumedMs, windowFromMs);
    add('working before the fault', fault.struckMs - createdMs);
    add('plane down', fault.readyMs - fault.struckMs);
    add("waiting for the plane's lease or retry", resumedMs - fault.readyMs);
    add('working after the fault', windowFromMs - resumedMs);
  }
  add('rest window', restedMs - windowFromMs);
  add('collecting', collectedMs - restedMs);
}
