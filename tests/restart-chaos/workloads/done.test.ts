import { expect, test } from 'vitest';
import { whenDone } from './done.ts';
import { exampleFacts, exampleIssue } from './example-facts.testing.ts';
import { broken, nothingFound } from './oracle-result.ts';

const brokenResult = broken('marker_missing', { expected: 'a', seen: 'b', evidence: [] });

test('done, and the result is right: nothing is found', () => {
  expect(whenDone(exampleFacts('A1'), () => nothingFound)).toEqual(nothingFound);
});

test('done, and the result is wrong: that is found', () => {
  expect(whenDone(exampleFacts('A1'), () => brokenResult)).toEqual(brokenResult);
});

test('not done: that alone is found, with the status that was seen', () => {
  const notes = whenDone(exampleFacts('A1', { issue: exampleIssue({ status: 'blocked' }) }), () => brokenResult);
  expect(notes.findings).toMatchObject([{ code: 'not_done', seen: 'it is blocked', ids: ['CHA-4'] }]);
});

test('unseen: the result is looked at, and the issue is missed', () => {
  const notes = whenDone(exampleFacts('A1', { issue: null }), () => brokenResult);
  expect(notes).toEqual({ findings: brokenResult.findings, missing: ['the issue at rest (issue.json)'] });
});
