import { describe, expect, test } from 'vitest';
import { decisiveFault } from './decisive-fault.ts';
import * as given from './facts.testing.ts';

const crash = given.crash({ struckAtMs: 40_000 });
const outage = given.crash({ ref: 'f02', kind: 'K4', struckAtMs: 60_000 });

test('without a crossing there is none', () => {
  expect(decisiveFault(given.goodFacts({ faults: [] }), null)).toBe(null);
});

test('one that crossed is the one, also when nothing changed after it', () => {
  expect(decisiveFault(given.goodFacts({ faults: [crash] }), null)?.kind).toBe('K1');
});

test('a fault that strikes after the last change of a status is not the one', () => {
  const { timeline } = given.goodFacts();
  const early = timeline.filter((event) => event.atMs < 50_000 || event.kind === 'rest');
  expect(decisiveFault(given.goodFacts({ faults: [crash, outage], timeline: early }), null)?.kind).toBe('K1');
});

describe('of two that struck a task at work', () => {
  const facts = given.goodFacts({ faults: [crash, outage] });
  const timeline = given.timelineOf([...given.beginning, given.issueAt(70_000, 'blocked'), given.restAt(given.restMs)]);

  test.each([
    ['without a moment is named after the later one', null, 'K4'],
    ['seen after both is named after the later one', 65_000, 'K4'],
    ['seen between them is named after the earlier one', 50_000, 'K1'],
    ['seen before both is named after the earlier one', 30_000, 'K1'],
  ] as const)('a failure %s', (_what, atMs, kind) => {
    expect(decisiveFault({ ...facts, timeline }, atMs)?.kind).toBe(kind);
  });
});
