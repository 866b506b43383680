import { expect, test } from 'vitest';
import { intendedStatements, rowsOfTag, tapeStatements, type BoundStatement } from './bound-statement.ts';
import { readStatements } from './sql-statement.ts';

const bind = (text: string, ...parameters: (string | null)[]): BoundStatement => ({
  shape: readStatements(text)[0] ?? { kind: 'other' },
  parameters,
  textResults: true,
});

type Row = readonly (string | null)[];

test.each<[string, BoundStatement, number, readonly Row[], unknown]>([
  [
    'an insert that gives back nothing',
    bind('insert into t (id, a_id, n) values ($1, $2, $3)', 'i', 'a', '1'),
    1,
    [],
    [{ id: 'i', a_id: 'a' }],
  ],
  [
    'an insert whose ids the database makes',
    bind('insert into t (a_id) values ($1), ($2) returning id', 'a', 'b'),
    2,
    [['1'], ['2']],
    [
      { a_id: 'a', id: '1' },
      { a_id: 'b', id: '2' },
    ],
  ],
  [
    'an insert of which some were there already',
    bind('insert into t (id, a_id) values ($1, $2), ($3, $4) on conflict do nothing returning id', 'i', 'a', 'k', 'b'),
    1,
    [['k']],
    [{ id: 'k' }],
  ],
  [
    'the same without returning',
    bind('insert into t (id) values ($1), ($2) on conflict do nothing', 'i', 'k'),
    1,
    [],
    [],
  ],
  [
    'an insert from a query',
    bind('insert into t (id) select id from u returning id, status'),
    2,
    [
      ['1', 'x'],
      ['2', null],
    ],
    [{ id: '1', status: 'x' }, { id: '2' }],
  ],
  [
    'an update of many rows',
    bind('update t set status = $1 where owner_id = $2 returning id', 'done', 'o'),
    2,
    [['1'], ['2']],
    [
      { status: 'done', owner_id: 'o', id: '1' },
      { status: 'done', owner_id: 'o', id: '2' },
    ],
  ],
  [
    'an update whose rows are not all here',
    bind('update t set status = $1 returning id', 'done'),
    3,
    [['1']],
    [{ status: 'done' }],
  ],
  ['an update by a value that is too long to keep', bind('update t set a = 1 where id = $1', null), 1, [], []],
  [
    'columns that are not kept',
    bind('update t set a = 1 returning id, title', 'x'),
    1,
    [['1', 'secret']],
    [{ id: '1' }],
  ],
])('the rows of %s', (_, bound, rows, returned, named) => {
  expect(tapeStatements(bound, rows, returned)[0]?.named).toEqual(named);
});

test('what changed no row is not on the tape', () => {
  expect(tapeStatements(bind('update t set a = 1'), 0, [])).toEqual([]);
  expect(tapeStatements(bind('select 1'), 1, [])).toEqual([]);
});

const inWith = 'with gone as (update t set status = $1 where id = $2 returning id) ';

test.each([
  ['a select of nothing', 'select * from gone', 0],
  ['a select of three', 'select * from u', 3],
])('a write in a WITH before %s may have changed rows, and nobody says how many or which', (_, main, rows) => {
  const unknown = { verb: 'update', table: 't', columns: ['status'], rows: 0, named: [], isCountUnknown: true };
  const bound = bind(`${inWith}${main}`, 'done', 'i');
  expect(tapeStatements(bound, rows, [])).toEqual([unknown]);
  expect(intendedStatements(bound)).toEqual([unknown]);
});

test('a write that the server has not counted yet may have changed rows', () => {
  const bound = bind('update t set status = $1 where id = $2 returning id', 'done', 'i');
  expect(tapeStatements(bound, null, [['i']])).toEqual([
    { verb: 'update', table: 't', columns: ['status'], rows: 0, named: [], isCountUnknown: true },
  ]);
});

test('the statement behind a WITH is counted as any other', () => {
  const bound = bind(`${inWith}insert into u (id) values ($3), ($4)`, 'done', 'i', 'a', 'b');
  const unknown = { table: 't', rows: 0, named: [], isCountUnknown: true };
  expect(tapeStatements(bound, 2, [])).toMatchObject([
    unknown,
    { table: 'u', rows: 2, named: [{ id: 'a' }, { id: 'b' }] },
  ]);
  expect(tapeStatements(bound, 0, [])).toMatchObject([unknown]);
  expect(tapeStatements(bound, 0, [])).toHaveLength(1);
  expect(intendedStatements(bound)).toMatchObject([
    unknown,
    { table: 'u', rows: 2, named: [{ id: 'a' }, { id: 'b' }] },
  ]);
});

test('an insert tells what it sets in rows that were there already', () => {
  const insert = 'insert into t (a_id, status) values ($1, $2)';
  const [upserted] = tapeStatements(bind(`${insert} on conflict (a_id) do update set status = $2`, 'a', 'x'), 1, []);
  expect(upserted).toMatchObject({ verb: 'insert', updates: ['status'], named: [{ a_id: 'a' }] });
  expect(tapeStatements(bind(insert, 'a', 'x'), 1, [])[0]).not.toHaveProperty('updates');
});

test('what is intended counts the rows that were sent', () => {
  expect(intendedStatements(bind('insert into t (id) values ($1), ($2)', 'a', 'b'))).toMatchObject([
    { rows: 2, named: [{ id: 'a' }, { id: 'b' }] },
  ]);
  expect(intendedStatements(bind('delete from t where id = $1', 'a'))).toMatchObject([
    { rows: 1, named: [{ id: 'a' }] },
  ]);
  expect(intendedStatements(bind('commit'))).toEqual([]);
});

test.each([
  ['UPDATE 3', 3],
  ['INSERT 0 12', 12],
  ['COPY 1000', 1000],
  ['BEGIN', 0],
  ['', 0],
])('the tag "%s" counts %d rows', (tag, rows) => expect(rowsOfTag(tag)).toBe(rows));
