import { describe, expect, test } from 'vitest';
import type { TaskFacts } from '../model/facts.ts';
import { briefWorkload } from './brief-workload.ts';
import { exampleDocument, exampleFacts, exampleIssue, exampleNonce } from './example-facts.testing.ts';

const line = `CHAOS-${exampleNonce}`;

function codes(facts: TaskFacts): readonly string[] | string {
  const result = briefWorkload.oracle(facts);
  return 'unknown' in result ? result.unknown : result.findings.map(({ code }) => code);
}

describe('A1 oracle', () => {
  test.each<[string, Partial<TaskFacts>, readonly string[] | string]>([
    ['done and the marker once – pass', { documents: [exampleDocument('brief', `What it does.\n\n${line}\n`)] }, []],
    [
      'only the latest revision counts – pass',
      { documents: [exampleDocument('brief', 'x', 1), exampleDocument('brief', line, 2)] },
      [],
    ],
    [
      'the marker was lost in the latest revision – fail',
      { documents: [exampleDocument('brief', 'x', 2), exampleDocument('brief', line, 1)] },
      ['marker_missing'],
    ],
    ['the marker twice – fail', { documents: [exampleDocument('brief', `${line}\n${line}`)] }, ['marker_repeated']],
    ['no document – fail', { documents: [] }, ['marker_missing']],
    ['the marker in another document – fail', { documents: [exampleDocument('plan', line)] }, ['marker_missing']],
    [
      'the marker of another task – fail',
      { documents: [exampleDocument('brief', 'CHAOS-ffffffffffff')] },
      ['marker_missing'],
    ],
    [
      'a longer word that starts like the marker – fail',
      { documents: [exampleDocument('brief', `${line}0`)] },
      ['marker_missing'],
    ],
    [
      'in code quotes, with an effect label – pass',
      { documents: [exampleDocument('brief', `\`${line}\` [effect t01/brief]`)] },
      [],
    ],
    ['blocked, and no document – fail once', { issue: exampleIssue({ status: 'blocked' }) }, ['not_done']],
    [
      'blocked, documents unreadable – fail',
      { issue: exampleIssue({ status: 'blocked' }), documents: null },
      ['not_done'],
    ],
    ['documents unreadable – unknown', { documents: null }, 'missing: the documents at rest (documents.json)'],
    [
      'issue unreadable – unknown',
      { issue: null, documents: [exampleDocument('brief', line)] },
      'missing: the issue at rest (issue.json)',
    ],
    ['issue unreadable and no marker – fail', { issue: null, documents: [] }, ['marker_missing']],
  ])('%s', (_, changes, expected) => {
    expect(codes(exampleFacts('A1', changes))).toEqual(expected);
  });

  test('a finding says what was expected, what was seen and where to look', () => {
    const result = briefWorkload.oracle(
      exampleFacts('A1', { documents: [exampleDocument('brief', `${line} ${line}`, 3)] }),
    );
    expect(result).toEqual({
      findings: [
        {
          rule: 'T',
          code: 'marker_repeated',
          expected: `document "brief" has ${line} exactly once`,
          seen: 'revision 3 has it 2 times',
          atMs: null,
          ids: [],
          evidence: ['documents.json', 'timeline.jsonl'],
        },
      ],
    });
  });
});
