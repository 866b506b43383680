/** N7, each row and its twin apart by one fact. */
import { expect, test } from 'vitest';
import type { EventBody } from '../model/event.ts';
import type { FaultStep } from '../model/fault.ts';
import * as given from './facts.testing.ts';
import { n7Plane } from './n7-plane.ts';

const { at, timelineOf } = given;
const server = { pid: 101, startTime: '1' };

const booted = at(1_000, { kind: 'boot_ready', boot: 1, sinceStartMs: 900 });
const counted = (atMs: number, changes: Partial<Extract<EventBody, { kind: 'plane_count' }>> = {}): given.Moment =>
  at(atMs, { kind: 'plane_count', boot: 1, server, others: [], postmasters: [77], ...changes });

/** A step that ended at `endedAtMs`. */
function stepAt(
  index: number,
  step: FaultStep,
  times: { fromMs: number; toMs: number },
  observed = true,
): given.Moment {
  const { fromMs: startedAtMs, toMs: endedAtMs } = times;
  const proof = { observed, seen: observed ? 'seen' : 'phase recovering' };
  return at(endedAtMs, { kind: 'fault_step', ref: 'f01', index, step, startedAtMs, endedAtMs, proof });
}

function endedAt(atMs: number, landed = true): given.Moment {
  const readyAtMs = landed ? atMs : null;
  return at(atMs, {
    kind: 'fault_ended',
    ref: 'f01',
    landed,
    reason: landed ? null : 'no',
    struckAtMs: 5_000,
    readyAtMs,
  });
}

/** The database is away from 5.1 s to 15 s. */
function away(kind: 'refuse' | 'black_hole' | 'reset'): readonly given.Moment[] {
  return [
    stepAt(0, { step: 'disturb', disturbance: { kind } }, { fromMs: 5_000, toMs: 5_100 }),
    stepAt(1, { step: 'wait', ms: 9_900 }, { fromMs: 5_100, toMs: 15_000 }),
    stepAt(4, { step: 'await_ready', withinMs: 180_000 }, { fromMs: 15_000, toMs: 16_000 }),
    endedAt(16_000),
  ];
}

type Look = Extract<EventBody, { kind: 'health_look' }>;

function lookAt(askedAtMs: number, answeredAtMs: number, phase: Look['phase'], withinMs = 2_000): given.Moment {
  return at(answeredAtMs, { kind: 'health_look', boot: 1, askedAtMs, answeredAtMs, withinMs, phase });
}

const quiet = [booted, counted(1_100)];
const afterAway = [...quiet, counted(16_100)];
const slowWait = (toMs: number, observed: boolean): given.Moment =>
  stepAt(3, { step: 'await_ready', withinMs: 180_000 }, { fromMs: 10_000, toMs }, observed);

const rows: readonly (readonly [string, readonly given.Moment[], string, readonly string[]])[] = [
  ['a wave without a fault', quiet, 'pass', []],
  ['ready just before the limit', [...quiet, slowWait(189_999, true), endedAt(189_999), counted(190_100)], 'pass', []],
  ['not ready at the limit', [...quiet, slowWait(190_000, false), endedAt(190_000, false)], 'fail', ['not_ready']],
  ['not ready, and not because of the time', [...quiet, slowWait(12_000, false), endedAt(12_000, false)], 'pass', []],
  ['never seen ready', [counted(1_100)], 'unknown', []],
  ['another process at work on the database', [booted, counted(1_100, { others: [202] })], 'fail', ['second_plane']],
  ['another postmaster', [booted, counted(1_100, { postmasters: [77, 78] })], 'fail', ['second_postmaster']],
  ['who is at work could not be told', [booted, counted(1_100, { others: null })], 'unknown', []],
  ['postmasters could not be counted', [booted, counted(1_100, { postmasters: null })], 'unknown', []],
  ['no postmaster was found', [booted, counted(1_100, { postmasters: [] })], 'unknown', []],
  ['nobody counted', [booted], 'unknown', []],
  ['nobody counted after a fault', [...quiet, slowWait(11_000, true), endedAt(11_000)], 'unknown', []],
  [
    'ok while refused',
    [...afterAway, ...away('refuse'), lookAt(5_200, 5_210, 'ready')],
    'fail',
    ['ok_without_database'],
  ],
  ['not ok while refused', [...afterAway, ...away('refuse'), lookAt(5_200, 5_210, 'starting')], 'pass', []],
  [
    'ok in a black hole',
    [...afterAway, ...away('black_hole'), lookAt(5_200, 5_210, 'ready')],
    'fail',
    ['ok_without_database'],
  ],
  ['silent in a black hole', [...afterAway, ...away('black_hole'), lookAt(5_200, 7_200, 'refused')], 'pass', []],
  [
    'silent, asked only briefly',
    [...afterAway, ...away('black_hole'), lookAt(5_200, 5_400, 'refused', 200)],
    'unknown',
    [],
  ],
  ['the port refuses at once', [...afterAway, ...away('refuse'), lookAt(5_200, 5_201, 'refused', 200)], 'pass', []],
  ['asked before it was away', [...afterAway, ...away('refuse'), lookAt(5_050, 5_060, 'ready')], 'unknown', []],
  ['answered when it was back', [...afterAway, ...away('refuse'), lookAt(14_900, 15_100, 'ready')], 'unknown', []],
  ['never asked', [...afterAway, ...away('refuse')], 'unknown', []],
  ['ok after a reset', [...afterAway, ...away('reset'), lookAt(5_200, 5_210, 'ready')], 'pass', []],
];

test.each(rows)('%s – %3$s', (_, moments, verdict, codes) => {
  const result = n7Plane(timelineOf(moments), null);
  expect([result.verdict, result.findings.map(({ code }) => code)]).toEqual([verdict, codes]);
  expect(result.unknownBecause.length > 0).toBe(verdict === 'unknown');
});

test('a log with a gap passes nothing, and what was seen to fail fails', () => {
  expect(n7Plane(timelineOf(quiet), 'two lines are missing')).toMatchObject({
    verdict: 'unknown',
    unknownBecause: ['two lines are missing'],
  });
  const second = timelineOf([booted, counted(1_100, { others: [202] })]);
  expect(n7Plane(second, 'two lines are missing').verdict).toBe('fail');
});
