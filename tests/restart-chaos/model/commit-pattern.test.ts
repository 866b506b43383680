import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { couldMatchCommit, matchesCommit, parseCommitPattern, patternOf } from './commit-pattern.ts';
import { UsageError } from './errors.ts';
import type { TapeRow, TapeStatement, WriteVerb } from './tape.ts';

function write(
  verb: WriteVerb,
  table: string,
  columns: readonly string[],
  ...named: readonly TapeRow[]
): TapeStatement {
  return { verb, table, columns, rows: Math.max(1, named.length), named };
}

const insertWake = write('insert', 'wakes', ['id', 'status', 'retry_of_id'], { id: 'w1', status: 'queued' });
const insertRetry = write('insert', 'wakes', ['id', 'status', 'retry_of_id'], { id: 'w2', retry_of_id: 'w1' });
const claim = write('update', 'runs', ['status', 'started_at'], { id: 'r1', status: 'running' });
const output = write('update', 'runs', ['output_seq'], { id: 'r1', status: 'running' });
const remove = write('delete', 'leases', []);

describe('a pattern fits a transaction', () => {
  test.each<[string, readonly TapeStatement[], boolean]>([
    ['insert wakes', [insertWake], true],
    ['insert wakes', [claim], false],
    ['delete leases', [remove], true],
    ['update runs set status', [claim], true],
    ['update runs set status', [output], false],
    ['update runs set status=running', [claim], true],
    ['update runs set status=running', [output], false],
    ['update runs set status=failed', [claim], false],
    ['update runs set started_at,status=running', [claim], true],
    ['insert wakes + update runs', [claim, insertWake], true],
    ['insert wakes + update runs', [insertWake], false],
    ['insert wakes set retry_of_id', [insertWake], true],
    ['insert wakes set retry_of_id=*', [insertWake], false],
    ['insert wakes set retry_of_id=*', [insertRetry], true],
  ])('%s', (text, statements, expected) => {
    expect(matchesCommit(parseCommitPattern(text), statements)).toBe(expected);
  });

  test('only when one row has all of its values', () => {
    const both = write(
      'update',
      'runs',
      ['status', 'agent_id'],
      { status: 'done', agent_id: 'a' },
      { status: 'failed' },
    );
    expect(matchesCommit(parseCommitPattern('update runs set status=done,agent_id=a'), [both])).toBe(true);
    expect(matchesCommit(parseCommitPattern('update runs set status=failed,agent_id=a'), [both])).toBe(false);
  });

  test('could be met before the values are known, by verb, table and columns', () => {
    expect(couldMatchCommit(parseCommitPattern('update runs set status=failed'), [claim])).toBe(true);
    expect(couldMatchCommit(parseCommitPattern('update runs set status=failed'), [output])).toBe(false);
  });
});

describe('a pattern as text', () => {
  test('is written in one form', () => {
    expect(parseCommitPattern(' insert  wakes+update runs set status=*, id ').text).toBe(
      'insert wakes + update runs set status=*,id',
    );
  });

  test.each(['', 'insert', 'select runs', 'insert runs set', 'insert runs set a b', 'insert Runs', 'insert runs +'])(
    'refuses "%s" with the form that is expected',
    (text) => {
      expect(() => parseCommitPattern(text)).toThrow(UsageError);
      expect(() => parseCommitPattern(text)).toThrow('a commit pattern is "<insert|update|delete> <table>');
    },
  );

  test('of a transaction fits it, reads as it was written, and does not depend on the order of its statements', () => {
    const anyStatement = fc.constantFrom(insertWake, insertRetry, claim, output, remove);
    fc.assert(
      fc.property(fc.array(anyStatement, { minLength: 1, maxLength: 6 }), (statements) => {
        const text = patternOf(statements);
        expect(parseCommitPattern(text).text).toBe(text);
        expect(matchesCommit(parseCommitPattern(text), statements)).toBe(true);
        expect(patternOf(statements.toReversed())).toBe(text);
      }),
    );
  });
});
