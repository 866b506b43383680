import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BoundStatement } from './bound-statement.ts';
import { couldCommit, wouldCommit } from './would-commit.ts';
import type { Question } from './unanswered-questions.ts';
import { readStatements } from './sql-statement.ts';

const texts = [
  'insert into t (id) values (1)',
  'begin',
  'commit',
  'rollback',
  'select 1',
  'savepoint s',
  'rollback to s',
];

function question(kind: Question['kind'], text: string): Question {
  const statements = readStatements(text).map((shape): BoundStatement => ({
    shape,
    parameters: [],
    textResults: true,
  }));
  return { kind, statements, sentAtMs: 0 };
}

const nothingOpen = { explicit: false, statements: [], wrote: false };

test.each([
  ['an autocommit at its Sync', [question('execute', texts[0] ?? ''), question('sync', '')], true],
  ['a write before its Sync', [question('execute', texts[0] ?? '')], false],
  [
    'the Sync of a write in a transaction',
    [question('query', 'begin'), question('execute', texts[0] ?? ''), question('sync', '')],
    false,
  ],
  ['the COMMIT of it', [question('query', `begin; ${texts[0]}`), question('query', 'commit')], true],
  [
    'the Sync behind this COMMIT',
    [question('query', `begin; ${texts[0]}`), question('execute', 'commit'), question('sync', '')],
    false,
  ],
  ['BEGIN to COMMIT in one', [question('query', `begin; ${texts[0]}; commit`)], true],
  ['BEGIN to ROLLBACK in one', [question('query', `begin; ${texts[0]}; rollback`)], false],
])('%s: whether it commits', (_, questions, commits) => {
  expect(couldCommit(nothingOpen, questions)).toBe(commits);
});

test('what would commit with the last question could, always', () => {
  const anyQuestion = fc
    .tuple(fc.constantFrom('execute', 'query', 'sync'), fc.array(fc.constantFrom(...texts), { maxLength: 4 }))
    .map(([kind, given]) =>
      question(kind as Question['kind'], kind === 'sync' ? '' : given.slice(0, kind === 'execute' ? 1 : 4).join(';')),
    );
  fc.assert(
    fc.property(fc.array(anyQuestion, { minLength: 1, maxLength: 8 }), fc.boolean(), (questions, explicit) => {
      const open = { ...nothingOpen, explicit };
      const withLast = wouldCommit(open, questions).length;
      const before = wouldCommit(open, questions.slice(0, -1)).length;
      if (withLast > before) expect(couldCommit(open, questions)).toBe(true);
    }),
  );
});
