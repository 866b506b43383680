import { expect, test } from 'vitest';
import { isBeside, judged, pass, ruleIds, unknown, type Finding } from './finding.ts';

const finding: Finding = {
  rule: 'R1',
  code: 'rested_blocked',
  expected: 'a',
  seen: 'b',
  atMs: 1,
  ids: [],
  evidence: [],
};

test('a rule fails when there is a finding and passes when there is none', () => {
  expect(judged('R1', [finding])).toEqual({ rule: 'R1', verdict: 'fail', findings: [finding], unknownBecause: null });
  expect(judged('R1', [])).toEqual(pass('R1'));
});

test('what could not be checked is unknown, says why, and never passes', () => {
  expect(unknown('R2', 'no manifest')).toEqual({
    rule: 'R2',
    verdict: 'unknown',
    findings: [],
    unknownBecause: 'no manifest',
  });
  expect(pass('R2').verdict).toBe('pass');
});

test('of the rules only N-rules stand beside the others', () => {
  expect(ruleIds.filter(isBeside)).toEqual(ruleIds.filter((rule) => rule.startsWith('N')));
});
