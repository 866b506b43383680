import { expect, test } from 'vitest';
import type { CommentView } from '../model/view.ts';
import { plainComment } from '../model/view.testing.ts';
import { effectsAtRest, hasSubtasks } from './effects-at-rest.ts';
import * as given from './facts.testing.ts';

const comment = (id: string, body: string): CommentView => plainComment({ id, body });

test('a comment counts when it has a row, and a label of its task ends it', () => {
  const comments = [
    comment('c1', 'Done.\n\n[effect t01/report]'),
    comment('c2', 'It said: [effect t01/report] and stopped'),
    comment('c3', 'Done.\n\n[effect t02/report]'),
    comment('c4', 'Gone.\n\n[effect t01/note-1]'),
  ];
  const durables = ['c1', 'c2', 'c3', 'c9'].map((id) => given.durable({ id }));
  const there = effectsAtRest(given.goodFacts({ comments }), given.truth({ durables }));
  expect([...there.comments]).toEqual([['report', ['c1']]]);
  expect(there.unread).toEqual(['c9']);
});

test('a document is known by its key, and a file by its path', () => {
  const durables = [given.durable({ kind: 'document', id: 'd1', label: 'brief' })];
  const there = effectsAtRest(given.goodFacts(), given.truth({ durables }));
  expect([...there.documents]).toEqual([['brief', ['d1']]]);
  expect(there.has({ kind: 'document', key: 'brief' })).toBe(true);
  expect(there.has({ kind: 'document', key: 'bench' })).toBe(false);
  expect(there.has({ kind: 'comment', key: 'report' })).toBe(false);
  expect(there.has({ kind: 'file', key: 'fix', path: 'notes.txt' })).toBe(true);
  expect(there.has({ kind: 'file', key: 'fix', path: 'other.txt' })).toBe(false);
});

test('what nobody read may be there or not', () => {
  const manifests = { ...given.goodFacts().manifests, rest: null };
  const there = effectsAtRest(given.goodFacts({ comments: null, manifests }), given.truth());
  expect(there.has({ kind: 'comment', key: 'report' })).toBeNull();
  expect(there.has({ kind: 'file', key: 'fix', path: 'notes.txt' })).toBeNull();
});

test('documents of subtasks do not count as repeated', () => {
  const documents = ['d1', 'd2'].map((id) => given.durable({ kind: 'document', id, label: 'brief' }));
  const rest = given.truth({ durables: [...documents, given.durable({ kind: 'subtask', id: 's1' })] });
  expect(hasSubtasks(rest)).toBe(true);
  expect(effectsAtRest(given.goodFacts(), rest).documents.size).toBe(0);
  expect(hasSubtasks(given.truth({ durables: documents }))).toBe(false);
});
