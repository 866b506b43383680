import { expect, test } from 'vitest';
import * as given from './facts.testing.ts';
import { createdAtMs, eventsOf, restOf, wasInterrupted, watchEndMs } from './timeline.ts';

const foreign = given.at(50_000, { kind: 'recheck', task: 't02', status: 'todo', error: null });

test('events of other tasks are left out, those of the wave are kept', () => {
  const interrupt = given.at(60_000, { kind: 'interrupt', signal: 'SIGINT', count: 1 });
  const facts = given.goodFacts({ timeline: given.timelineOf([foreign, interrupt]) });
  expect(eventsOf(facts, 'recheck')).toEqual([]);
  expect(eventsOf(facts, 'interrupt')).toHaveLength(1);
});

test('events come by time, whatever their order in the list', () => {
  const facts = given.goodFacts();
  const reversed = { ...facts, timeline: facts.timeline.toReversed() };
  expect(eventsOf(reversed, 'poll')).toEqual(eventsOf(facts, 'poll'));
});

test('a life goes from the answer to the creation to the rest', () => {
  expect([createdAtMs(given.goodFacts()), watchEndMs(given.goodFacts())]).toEqual([given.createdMs, given.restMs]);
});

test('without a rest the watch ends with the log', () => {
  const facts = given.goodFacts({ timeline: given.timelineOf([...given.beginning, foreign]) });
  expect([restOf(facts), watchEndMs(facts)]).toEqual([null, 50_000]);
});

test('an interrupt is known by its mark and by the reason of the rest', () => {
  const mark = given.at(9_000, { kind: 'task_unfinished_at_interrupt', task: 't01', lastStatus: null });
  const rest = given.restAt(9_000, { reason: 'interrupt' });
  const interrupted = (moment: given.Moment): boolean =>
    wasInterrupted(given.goodFacts({ timeline: given.timelineOf([moment]) }));
  expect([interrupted(mark), interrupted(rest), interrupted(given.restAt(9_000))]).toEqual([true, true, false]);
});
