import { expect, test } from 'vitest';
import { decisiveFault } from './decisive-fault.ts';
import * as given from './facts.testing.ts';

const crash = given.crash({ struckAtMs: 40_000 });
const outage = given.crash({ ref: 'f02', kind: 'K4', struckAtMs: 60_000 });

test('without a crossing there is none', () => {
  expect(decisiveFault(given.goodFacts({ faults: [] }))).toBe(null);
});

test('one that crossed is the one, also when nothing changed after it', () => {
  expect(decisiveFault(given.goodFacts({ faults: [crash] }))).toBe('K1');
});

test('a fault that strikes after the last change of a status is not the one', () => {
  const { timeline } = given.goodFacts();
  const early = timeline.filter((event) => event.atMs < 50_000 || event.kind === 'rest');
  expect(decisiveFault(given.goodFacts({ faults: [crash, outage], timeline: early }))).toBe('K1');
});

test('of two that struck a task at work the later one is', () => {
  const facts = given.goodFacts({ faults: [crash, outage] });
  const seen = facts.timeline.find((event) => event.kind === 'issue_seen');
  if (seen?.kind !== 'issue_seen') throw new Error('the good facts have an issue that was seen');
  const late = { ...seen, seq: 9_999, atMs: 70_000, issue: { ...seen.issue, status: 'blocked' } };
  expect(decisiveFault({ ...facts, timeline: [...facts.timeline, late] })).toBe('K4');
});
