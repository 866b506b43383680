import { describe, expect, test } from 'vitest';
import { broken, cannotSee, nothingFound, together, weigh } from './oracle-result.ts';

const fault = broken('tests_fail', { expected: 'a', seen: 'b', evidence: ['oracle.json'] });

describe('weigh', () => {
  test.each([
    ['nothing found – pass', [nothingFound], { findings: [] }],
    ['no notes at all – pass', [], { findings: [] }],
    ['something broken – fail', [nothingFound, fault], { findings: fault.findings }],
    ['something unseen – unknown', [cannotSee('x'), cannotSee('y')], { unknown: 'missing: x; y' }],
    ['the same unseen twice – unknown, named once', [cannotSee('x'), cannotSee('x')], { unknown: 'missing: x' }],
    ['broken and unseen – fail', [cannotSee('x'), fault], { findings: fault.findings }],
  ])('%s', (_, notes, expected) => {
    expect(weigh(...notes)).toEqual(expected);
  });
});

test('a finding without a moment or ids says so, and one with them keeps them', () => {
  expect(fault.findings[0]).toMatchObject({ rule: 'T', code: 'tests_fail', atMs: null, ids: [] });
  const dated = broken('not_done', { expected: 'a', seen: 'b', atMs: 7, ids: ['CHA-4'], evidence: [] });
  expect(dated.findings[0]).toMatchObject({ atMs: 7, ids: ['CHA-4'] });
});

test('notes are put together in their order', () => {
  expect(together(cannotSee('x'), fault, cannotSee('y'))).toEqual({ findings: fault.findings, missing: ['x', 'y'] });
});
