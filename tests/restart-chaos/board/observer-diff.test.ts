import { expect, test } from 'vitest';
import { commentLike, issueLike, runLike } from '../../fixtures/board/views.ts';
import { changesSince, nothingSeen, type Seen, type SeenParts } from './observer-diff.ts';

const document = { key: 'brief', revision: 1, body: 'x', updatedAt: 't' };
const first: SeenParts = { issue: issueLike(), runs: [runLike()], comments: [commentLike()], documents: [document] };
const known: Seen = changesSince(nothingSeen, first, 't01').seen;
const kinds = (seen: Seen, parts: SeenParts): string[] =>
  changesSince(seen, parts, 't01').events.map(({ kind }) => kind);

const rows: readonly (readonly [string, SeenParts, readonly string[]])[] = [
  ['nothing changed', first, []],
  ['equal values in new objects', structuredClone(first), []],
  ['the issue changed', { ...first, issue: issueLike({ status: 'done' }) }, ['issue_seen']],
  ['a run changed its status', { ...first, runs: [runLike({ status: 'failed' })] }, ['run_seen']],
  ['a run’s output grew', { ...first, runs: [runLike({ outputSeq: 5 })] }, ['run_seen']],
  ['a run is new', { ...first, runs: [runLike(), runLike({ id: 'r2' })] }, ['run_seen']],
  ['a comment is new', { ...first, comments: [commentLike(), commentLike({ id: 'c2' })] }, ['comment_seen']],
  ['a comment was edited', { ...first, comments: [commentLike({ body: 'y' })] }, ['comment_seen']],
  ['a document has a new revision', { ...first, documents: [{ ...document, revision: 2 }] }, ['document_seen']],
  ['a comment vanished', { ...first, comments: [] }, []],
  ['nothing could be read', { issue: null, runs: null, comments: null, documents: null }, []],
];

test.each(rows)('%s', (_title, parts, expected) => {
  expect(kinds(known, parts)).toEqual(expected);
});

test('the first look shows everything, the issue first', () => {
  expect(kinds(nothingSeen, first)).toEqual(['issue_seen', 'run_seen', 'comment_seen', 'document_seen']);
});

test('what changed and changed back is seen twice', () => {
  const changed = changesSince(known, { ...first, issue: issueLike({ status: 'blocked' }) }, 't01').seen;
  expect(kinds(changed, first)).toEqual(['issue_seen']);
});

test('a part that could not be read is compared with the last time it could', () => {
  const blind = changesSince(known, { ...first, runs: null }, 't01').seen;
  expect(kinds(blind, first)).toEqual([]);
});
