import { expect, test } from 'vitest';
import * as given from './facts.testing.ts';
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

test('a fault that never ended holds the plane down for ever', () => {
  const open = given.crash({ readyAtMs: null, endedAtMs: null });
  expect(downWindows(given.goodFacts({ faults: [open] }))).toEqual([
    { fromMs: given.strikeMs, toMs: Number.POSITIVE_INFINITY },
  ]);
});
