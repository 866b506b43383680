import { expect, test } from 'vitest';
import type { Beacon } from '../model/event.ts';
import { activitiesOf, outputsOf } from './activity.ts';
import * as given from './facts.testing.ts';

function activities(...moments: readonly given.Moment[]): readonly number[] {
  return activitiesOf(given.goodFacts({ timeline: given.timelineOf(moments) })).map(({ atMs }) => atMs);
}

const working: readonly Beacon['moment'][] = [
  'activity',
  'step',
  'command_started',
  'command_ended',
  'before_effect',
  'after_effect',
  'comment_read',
];

test.each(working)('a beacon "%s" is a sign of work', (moment) => {
  expect(activities(given.beaconAt(5_000, moment))).toEqual([5_000]);
});

test.each(['started', 'outage', 'ending'] as const)('a beacon "%s" is none', (moment) => {
  expect(activities(given.beaconAt(5_000, moment))).toEqual([]);
});

test('output counts when it grew, not when the run was merely seen again', () => {
  const seen = [0, 2, 2, 5].map((outputSeq, index) => given.runAt(index * 1_000, { outputSeq }));
  expect(activities(...seen)).toEqual([1_000, 3_000]);
});

test('a plane without a counter is believed when its last output has a new time', () => {
  const seen = [null, given.wallAt(5), given.wallAt(5)].map((lastOutputAt, index) =>
    given.runAt(index * 1_000, { lastOutputAt }),
  );
  expect(activities(...seen)).toEqual([1_000]);
});

test('runs are counted apart', () => {
  const seen = [given.runAt(1_000, { outputSeq: 5 }), given.runAt(2_000, { id: 'run-b', outputSeq: 1 })];
  const facts = given.goodFacts({ timeline: given.timelineOf(seen) });
  expect(outputsOf(facts).map(({ runId }) => runId)).toEqual(['run-a', 'run-b']);
});
