import { describe, expect, test } from 'vitest';
import { type Scene, standing, wallText, watch } from '../../fixtures/board/rest-look.ts';
import { commentLike, viewLike } from '../../fixtures/board/views.ts';
import type { Rest } from '../model/event.ts';

const { blocked, done, idle, running } = standing;
const action = { id: 'x1', status: 'active', ownerType: 'board', cause: 'c' };

const rows: readonly (readonly [string, (atMs: number) => Scene, number, Rest['reason'] | 'open', number | null])[] = [
  [
    'board-owned recovery action on an in_progress issue – rests',
    () => ({ view: viewLike({ activeRecoveryAction: action }, [{ status: 'interrupted' }]) }),
    90_000,
    'window',
    60_000,
  ],
  [
    'agent-owned recovery action on an in_progress issue – not a rest',
    () => ({ view: viewLike({ activeRecoveryAction: { ...action, ownerType: 'agent' } }) }),
    599_000,
    'open',
    null,
  ],
  [
    'escalated recovery action – rests',
    () => ({ view: viewLike({ activeRecoveryAction: { ...action, ownerType: 'agent', status: 'escalated' } }) }),
    90_000,
    'window',
    60_000,
  ],
  ['idle in_progress – not a rest before the stall limit', () => ({ view: idle }), 599_000, 'open', null],
  ['idle in_progress – stalled at the limit', () => ({ view: idle }), 700_000, 'stalled', 600_000],
  ['idle todo – stalled at the limit', () => ({ view: viewLike({ status: 'todo' }) }), 700_000, 'stalled', 600_000],
  [
    'idle that resumes after 5 minutes and finishes – rests done',
    (at) => ({
      view: at < 300_000 ? idle : at < 320_000 ? running : done,
      liveProcesses: at >= 300_000 && at < 320_000,
    }),
    700_000,
    'window',
    380_000,
  ],
  [
    'queued run on a blocked issue – open until the stall limit',
    () => ({ view: viewLike({ status: 'blocked' }, [{ status: 'queued' }]) }),
    700_000,
    'stalled',
    600_000,
  ],
  [
    'scheduled retry, due later – waits past the stall limit',
    () => ({ view: viewLike({}, [{ status: 'scheduled_retry', scheduledRetryAt: wallText(900_000) }]) }),
    900_000,
    'open',
    null,
  ],
  [
    'scheduled retry that is due and never comes – stalled a limit after its due time',
    () => ({ view: viewLike({}, [{ status: 'scheduled_retry', scheduledRetryAt: wallText(30_000) }]) }),
    700_000,
    'stalled',
    629_000,
  ],
  [
    'subtask blocked for the whole window – the parent rests',
    () => ({ view: viewLike({ status: 'blocked', blockedBy: [{ id: 's', status: 'blocked' }] }) }),
    90_000,
    'window',
    60_000,
  ],
  [
    'subtask blocked for 30 s, then resuming – the parent is watched on',
    (at) => ({
      view: viewLike({ status: 'blocked', blockedBy: [{ id: 's', status: at < 30_000 ? 'blocked' : 'in_progress' }] }),
    }),
    900_000,
    'open',
    null,
  ],
  [
    'subtask working – a named wait, never stalled',
    () => ({ view: viewLike({ status: 'blocked', blockedBy: [{ id: 's', status: 'in_progress' }] }) }),
    900_000,
    'open',
    null,
  ],
  ['a plane that never answers again – stalled', () => ({ view: null }), 700_000, 'stalled', 600_000],
  [
    'a change in every look – open',
    (at) => ({ view: viewLike({ status: 'blocked' }, [], { comments: [commentLike({ id: `c${at}` })] }) }),
    900_000,
    'open',
    null,
  ],
];

describe('waiting, stalling, and what is neither', () => {
  test.each(rows)('%s', (_title, scene, untilMs, reason, atMs) => {
    const watched = watch(scene, untilMs);
    expect([watched?.rest.reason ?? 'open', watched?.atMs ?? null]).toEqual([reason, atMs]);
  });
});

describe('looks that come rarely', () => {
  const settled: Scene = { view: done, settledInTruth: true };
  const rare: readonly (readonly [string, (atMs: number) => Scene, Rest['reason'], number])[] = [
    ['a done and settled task rests when its short window is full', () => settled, 'settled', 5_000],
    ['a blocked task rests when its window is full', () => ({ view: blocked }), 'window', 60_000],
    [
      'a hung run rests a window after its last change',
      () => ({ view: running, runRowsChangedAtMs: 45_000 }),
      'window',
      105_000,
    ],
    [
      'a change in between is seen at the next look, and the window begins there',
      (at) => ({ view: at < 31_000 ? idle : blocked }),
      'window',
      100_000,
    ],
  ];

  test.each(rare)('%s', (_title, scene, reason, atMs) => {
    const watched = watch(scene, 200_000, { intervalMs: 10_000 });
    expect([watched?.rest.reason ?? 'open', watched?.atMs ?? null]).toEqual([reason, atMs]);
  });
});
