import { describe, expect, test } from 'vitest';
import { lookLike, type Scene, standing, wallText, watch } from '../../fixtures/board/rest-look.ts';
import { viewLike } from '../../fixtures/board/views.ts';
import type { Rest } from '../model/event.ts';
import { numbersFor } from '../model/numbers.ts';
import { beginRest, endOfWatch, stepRest } from './rest.ts';

const numbers = numbersFor(1);
const { done, blocked, idle, running } = standing;

const rows: readonly (readonly [string, (atMs: number) => Scene, number, Rest['reason'] | 'open', number | null])[] = [
  [
    'done and settled in the truth – rests after 5 s',
    () => ({ view: done, settledInTruth: true }),
    30_000,
    'settled',
    5_000,
  ],
  ['done, not settled – rests after the window', () => ({ view: done }), 90_000, 'window', 60_000],
  [
    'done, settled only later – 5 s from then',
    (at) => ({ view: done, settledInTruth: at >= 20_000 }),
    90_000,
    'settled',
    25_000,
  ],
  [
    'done and settled but a process lives – open',
    () => ({ view: done, settledInTruth: true, liveProcesses: true }),
    90_000,
    'open',
    null,
  ],
  [
    'cancelled and settled – only the whole window counts',
    () => ({ view: viewLike({ status: 'cancelled' }), settledInTruth: true }),
    90_000,
    'window',
    60_000,
  ],
  ['blocked for the whole window – rests', () => ({ view: blocked }), 90_000, 'window', 60_000],
  [
    'a flip at 59 s restarts the window',
    (at) => ({ view: at < 59_000 ? blocked : viewLike({ status: 'blocked', checkoutRunId: 'r1' }) }),
    200_000,
    'window',
    119_000,
  ],
  [
    'a flip there and back at 59 s restarts it as well',
    (at) => ({ view: at === 59_000 ? idle : blocked }),
    200_000,
    'window',
    120_000,
  ],
  [
    'only the time stamp of the issue moves – no flip',
    (at) => ({ view: viewLike({ status: 'blocked', updatedAt: wallText(at) }) }),
    90_000,
    'window',
    60_000,
  ],
  ['in_review without a run – rests', () => ({ view: viewLike({ status: 'in_review' }) }), 90_000, 'window', 60_000],
  ['running with a live process – open', () => ({ view: running, liveProcesses: true }), 599_000, 'open', null],
  [
    'running without a process, unchanged for the window – rests with it',
    () => ({ view: running }),
    90_000,
    'window',
    60_000,
  ],
  [
    'running without a process, its row changed at 30 s – a window after that',
    (at) => ({ view: running, runRowsChangedAtMs: at >= 30_000 ? 30_000 : null }),
    120_000,
    'window',
    90_000,
  ],
  [
    'running whose process dies at 100 s – a window after that',
    (at) => ({ view: running, liveProcesses: at < 100_000 }),
    200_000,
    'window',
    160_000,
  ],
  [
    'running without a process on a done issue – never the 5 s rest',
    () => ({ view: viewLike({ status: 'done' }, [{ status: 'running' }]), settledInTruth: true }),
    90_000,
    'window',
    60_000,
  ],
  [
    'a process without a row on a blocked issue – open',
    () => ({ view: blocked, liveProcesses: true }),
    300_000,
    'open',
    null,
  ],
  [
    'a fault at 30 s for 20 s – the window starts again after it',
    (at) => ({ view: blocked, faultInProgress: at >= 30_000 && at < 50_000 }),
    200_000,
    'window',
    110_000,
  ],
  [
    'a fault restarts the 5 s of a settled task too',
    (at) => ({ view: done, settledInTruth: true, faultInProgress: at < 40_000 }),
    200_000,
    'settled',
    45_000,
  ],
  [
    'a comment at 50 s of a rest – a fresh window',
    (at) => ({ view: blocked, humanInputAtMs: at >= 50_000 ? 50_000 : null }),
    200_000,
    'window',
    110_000,
  ],
  [
    'a follow-up that is due – open',
    () => ({ view: done, settledInTruth: true, followUpDue: true }),
    300_000,
    'open',
    null,
  ],
  [
    'looks that fail now and then – the window goes on',
    (at) => ({ view: at % 10_000 === 3_000 ? null : blocked }),
    90_000,
    'window',
    60_000,
  ],
  [
    'nobody could look for 20 s – the window starts again',
    (at) => ({ view: at >= 30_000 && at < 50_000 ? null : blocked }),
    200_000,
    'window',
    110_000,
  ],
  [
    'a failed look breaks the 5 s of a settled task',
    (at) => ({ view: at === 4_000 ? null : done, settledInTruth: true }),
    90_000,
    'settled',
    10_000,
  ],
];

describe('when a task rests', () => {
  test.each(rows)('%s', (_title, scene, untilMs, reason, atMs) => {
    const watched = watch(scene, untilMs);
    expect([watched?.rest.reason ?? 'open', watched?.atMs ?? null]).toEqual([reason, atMs]);
  });
});

test('a rest says since when the state had held, and in which status', () => {
  const rest = watch((at) => ({ view: at < 10_000 ? idle : blocked }), 90_000)?.rest;
  expect(rest).toEqual({ reason: 'window', status: 'blocked', sinceMs: 10_000 });
});

describe('the deadline', () => {
  test('ends the watch of a moving task', () => {
    const watched = watch(() => ({ view: running, liveProcesses: true }), 200_000, { deadlineAtMs: 100_000 });
    expect(watched).toEqual({ atMs: 100_000, rest: { reason: 'deadline', status: 'in_progress', sinceMs: 0 } });
  });

  test('waits for a fault that is in progress', () => {
    const watched = watch((at) => ({ view: null, faultInProgress: at < 150_000 }), 200_000, { deadlineAtMs: 100_000 });
    expect([watched?.atMs, watched?.rest.reason]).toEqual([150_000, 'deadline']);
  });

  test('gives way to a rest that is complete in the same look', () => {
    expect(watch(() => ({ view: blocked }), 200_000, { deadlineAtMs: 60_000 })?.rest.reason).toBe('window');
  });

  test('an interrupt names the last status seen', () => {
    const { state } = stepRest(
      beginRest({ numbers, createdAtMs: 0, deadlineAtMs: 1 }),
      lookLike(0, { view: blocked, faultInProgress: true }),
    );
    expect(endOfWatch(state, 'interrupt')).toEqual({ reason: 'interrupt', status: 'blocked', sinceMs: 0 });
  });
});

test('with short waits two looks a second apart are enough for a settled task', () => {
  const scaled = numbersFor(0.02);
  const first = stepRest(
    beginRest({ numbers: scaled, createdAtMs: 0, deadlineAtMs: 9e9 }),
    lookLike(0, { view: done, settledInTruth: true }),
  );
  expect(first.verdict).toBe('open');
  expect(stepRest(first.state, lookLike(1_000, { view: done, settledInTruth: true })).verdict).toMatchObject({
    reason: 'settled',
  });
});
