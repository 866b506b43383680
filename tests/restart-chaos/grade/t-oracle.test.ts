import { expect, test } from 'vitest';
import type { Finding } from '../model/finding.ts';
import { beginning, goodFacts, life, restAt, restMs } from './facts.testing.ts';
import { tOracle } from './t-oracle.ts';

const finding: Finding = {
  rule: 'T',
  code: 'marker_missing',
  expected: 'once',
  seen: 'never',
  atMs: null,
  ids: [],
  evidence: [],
};

test('the oracle found nothing – pass', () => {
  expect(tOracle(goodFacts(), () => ({ findings: [] })).verdict).toBe('pass');
});

test('the oracle found something – fail', () => {
  expect(tOracle(goodFacts(), () => ({ findings: [finding] }))).toMatchObject({ verdict: 'fail', findings: [finding] });
});

test.each(['interrupt', 'plane_lost'] as const)(
  'the oracle found something, and %s cut the task off – unknown',
  (reason) => {
    const facts = goodFacts({ timeline: life([...beginning, restAt(restMs, { reason, status: 'in_progress' })]) });
    expect(tOracle(facts, () => ({ findings: [finding] })).verdict).toBe('unknown');
  },
);

test('the oracle found something, and the harness died before the task rested – unknown', () => {
  const facts = goodFacts({ timeline: life(beginning) });
  expect(tOracle(facts, () => ({ findings: [finding] })).verdict).toBe('unknown');
});

test('the oracle could not look – unknown', () => {
  expect(tOracle(goodFacts(), () => ({ unknown: 'no worktree' }))).toMatchObject({
    verdict: 'unknown',
    unknownBecause: 'no worktree',
  });
});
