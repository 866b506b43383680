import { expect, test } from 'vitest';
import type { FaultStep } from '../model/fault.ts';
import { crossingsOf } from './crossing.ts';
import * as given from './facts.testing.ts';
import { faultsFromEvents } from './faults-from-events.ts';
import { blindWindows, downWindows, goodLooksMs } from './observation.ts';

function withPolls(...polls: readonly given.Moment[]): ReturnType<typeof blindWindows> {
  return blindWindows(
    given.goodFacts({ timeline: given.timelineOf([...given.beginning, given.restAt(given.restMs), ...polls]) }),
  );
}

test('a task that is looked at every second is never out of sight', () => {
  expect(blindWindows(given.goodFacts())).toEqual([]);
});

test('the time in which a fault holds the plane down is no gap', () => {
  const long = given.crash({ readyAtMs: 60_000, endedAtMs: 60_000 });
  const polls = [...given.pollsBetween(1_100, given.strikeMs), ...given.pollsBetween(60_000, given.restMs)];
  const timeline = given.timelineOf([...given.beginning, given.restAt(given.restMs), ...polls]);
  expect(blindWindows(given.goodFacts({ timeline, faults: [long] }))).toEqual([]);
});

test('twenty seconds without a good look while the plane is up are a gap', () => {
  const polls = [...given.pollsBetween(1_100, 40_000), ...given.pollsBetween(62_000, given.restMs)];
  expect(withPolls(...polls)).toEqual([{ fromMs: 38_120, toMs: 62_020 }]);
});

test('beside a fault one slow look more is allowed for, and not two', () => {
  const seenFrom = (fromMs: number): ReturnType<typeof blindWindows> =>
    withPolls(...given.pollsBetween(1_100, given.strikeMs), ...given.pollsBetween(fromMs, given.restMs));
  expect(seenFrom(given.readyMs + 22_000)).toEqual([]);
  expect(seenFrom(given.readyMs + 27_000)).toHaveLength(1);
});

test('looks that fail are no looks', () => {
  const failing = given
    .pollsBetween(40_000, 62_000)
    .map(({ atMs, body }) => given.at(atMs, { ...body, outcome: 'http_error' } as typeof body));
  const polls = [...given.pollsBetween(1_100, 40_000), ...failing, ...given.pollsBetween(62_000, given.restMs)];
  expect(withPolls(...polls)).toHaveLength(1);
});

test('a task that was hardly looked at is out of sight from the start', () => {
  expect(withPolls()).toHaveLength(1);
  expect(goodLooksMs(given.goodFacts({ timeline: [] }))).toEqual([]);
});

test('the time from the begin of a disturbance until the plane is ready again is ours', () => {
  const body = { kind: 'fault_started', ref: 'f01', fault: 'DB3', requestedBy: 't01', openTasks: ['t01'] } as const;
  const step = (index: number, startedAtMs: number, endedAtMs: number, what: FaultStep): given.Moment =>
    given.at(endedAtMs, {
      kind: 'fault_step',
      ref: 'f01',
      index,
      step: what,
      startedAtMs,
      endedAtMs,
      proof: { observed: true, seen: 'seen' },
    });
  const events = given.timelineOf([
    given.at(20_000, { ...body, parameters: { forMs: 30_000 }, trigger: { on: 'time', offsetMs: 19_000 } }),
    step(0, 20_001, 21_500, { step: 'disturb', disturbance: { kind: 'black_hole' } }),
    step(1, 21_500, 53_000, { step: 'wait', ms: 30_000 }),
    step(2, 53_000, 53_010, { step: 'undisturb' }),
    step(3, 53_010, 53_010, { step: 'start_if_ended' }),
    step(4, 53_010, 54_000, { step: 'await_ready', withinMs: 180_000 }),
    given.at(54_000, {
      kind: 'fault_ended',
      ref: 'f01',
      landed: true,
      reason: null,
      struckAtMs: 20_001,
      readyAtMs: 54_000,
    }),
  ]);
  const facts = given.goodFacts({ faults: faultsFromEvents(events) });
  expect(downWindows(facts)).toEqual([{ fromMs: 20_000, toMs: 54_000 }]);
  expect(crossingsOf(facts).crossed.map(({ fault }) => fault.kind)).toEqual(['DB3']);
});

test('a fault that never ended holds the plane down for ever', () => {
  const open = given.crash({ readyAtMs: null, endedAtMs: null });
  expect(downWindows(given.goodFacts({ faults: [open] }))).toEqual([
    { fromMs: given.strikeMs, toMs: Number.POSITIVE_INFINITY },
  ]);
});
