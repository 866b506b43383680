import { expect, test } from 'vitest';
import { durable, goodFacts } from './facts.testing.ts';
import { lostComments, lostDocuments, lostDurables } from './lost-durables.ts';

test('the same id of another kind is another thing', () => {
  expect(lostDurables([durable()], [durable({ kind: 'attachment' })]).lost).toEqual([
    { kind: 'comment', id: 'c1', how: 'gone: hello' },
  ]);
});

test('a hash that is missing on one side proves no change', () => {
  expect(lostDurables([durable({ hash: null })], [durable()]).lost).toEqual([]);
  expect(lostDurables([durable()], [durable({ hash: null })]).lost).toEqual([]);
});

test('rows that could not be read are missing, not lost', () => {
  expect(lostDurables([durable()], null)).toEqual({ lost: [], missing: ['the rows at rest could not be read'] });
});

test('where the board saw nothing before the fault there is nothing to lose', () => {
  expect(lostComments(goodFacts(), 20_000)).toEqual({ lost: [], missing: [] });
  expect(lostDocuments(goodFacts(), 20_000)).toEqual({ lost: [], missing: [] });
});
