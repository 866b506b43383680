import { describe, expect, test } from 'vitest';
import { readStatements } from './sql-statement.ts';
import { sqlTokens } from './sql-tokens.ts';
import type { StatementShape, ValueSource } from './statement-shape.ts';

/** `insert issues (id status) [id=$1 status='todo'] -> id,status`. */
function shapeText(shape: StatementShape): string {
  if ('name' in shape) return `${shape.kind} ${shape.name}`;
  if (shape.kind !== 'write') return shape.kind;
  const writes = shape.writes.map(({ verb, table, columns, rows, returning, updates, isInWith }) => {
    const rowTexts = rows.map((row) => ` [${row.map(sourceText).join(' ')}]`).join('');
    const updated = updates === undefined ? '' : ` or (${updates.join(' ')})`;
    const marked = `${isInWith === true ? 'with ' : ''}${verb}`;
    return `${marked} ${table} (${columns.join(' ')})${updated}${rowTexts}${returning === null ? '' : ` -> ${returning.map((name) => name ?? '?').join(',')}`}`;
  });
  return `${writes.join(' + ')}${shape.copiesIn === true ? ' copies in' : ''}`;
}

function sourceText(source: ValueSource): string {
  return 'literal' in source ? `${source.column}='${source.literal}'` : `${source.column}=$${source.parameter}`;
}

const read = (text: string): string => readStatements(text).map(shapeText).join(' | ');

describe('statements as drizzle and postgres.js write them', () => {
  test.each([
    [
      'insert into "issues" ("id", "company_id", "title", "status", "created_at") values (default, $1, $2, $3, default) returning "id", "company_id", "status"',
      'insert issues (id company_id title status created_at) [company_id=$1 status=$3] -> id,company_id,status',
    ],
    [
      'insert into "heartbeat_runs" ("id", "agent_id", "status") values ($1, $2, $3), ($4, $5, $6)',
      'insert heartbeat_runs (id agent_id status) [id=$1 agent_id=$2 status=$3] [id=$4 agent_id=$5 status=$6]',
    ],
    [
      'update "issues" set "status" = $1, "updated_at" = $2 where ("issues"."id" = $3 and "issues"."status" in ($4, $5)) returning "id", "status"',
      'update issues (status updated_at) [status=$1 id=$3] -> id,status',
    ],
    [
      'update "heartbeat_runs" set "status" = $1, "finished_at" = now() where "heartbeat_runs"."id" = $2',
      'update heartbeat_runs (status finished_at) [status=$1 id=$2]',
    ],
    [
      'delete from "environment_leases" where ("environment_leases"."run_id" = $1 and "environment_leases"."status" <> $2)',
      'delete environment_leases () [run_id=$1]',
    ],
    [
      'insert into "state" ("agent_id", "company_id", "status") values ($1, $2, $3) on conflict ("agent_id") do update set "status" = $3',
      'insert state (agent_id company_id status) or (status) [agent_id=$1]',
    ],
    [
      'insert into "seen" ("id", "issue_id") values ($1, $2) on conflict do nothing returning "id"',
      'insert seen (id issue_id) [id=$1 issue_id=$2] -> id',
    ],
    [
      'insert into "seen" ("id", "issue_id") values ($1, $2) on conflict on constraint c do update set x = 1',
      'insert seen (id issue_id) or (x) []',
    ],
    [
      '\n    insert into runs ("issue_id","status")values($1,$2)returning *\n  ',
      'insert runs (issue_id status) [issue_id=$1 status=$2]',
    ],
    ['select "id", "status" from "issues" where "issues"."id" = $1 for update', 'other'],
    ['select pg_advisory_xact_lock($1)', 'other'],
    [
      'update issues set status = $1::issue_status, parent_id = $2::uuid where id = $3::uuid and company_id = ($4)',
      'update issues (status parent_id) [status=$1 parent_id=$2 id=$3]',
    ],
    ['begin read write', 'begin'],
    ['commit', 'commit'],
    ['savepoint s1', 'savepoint s1'],
    ['rollback to s1', 'rollback_to s1'],
    ['release savepoint s1', 'release s1'],
    ['set search_path = x', 'other'],
  ])('%s', (text, expected) => expect(read(text)).toBe(expected));
});

describe('what SQL can be', () => {
  test.each([
    // Names, qualifiers and aliases.
    ['insert into public."Odd ""Name""" as o (id) values (\'it\'\'s\')', `insert Odd "Name" (id) [id='it's']`],
    ["UPDATE ONLY Issues AS i SET Status = E'a\\'b' WHERE i.ID = $1", "update issues (status) [status='a\\'b' id=$1]"],
    ['update t x set status = $1 where x.id = $2', 'update t (status) [status=$1 id=$2]'],
    [
      'update t set status = $1 from other where other.id = $2 and t.owner_id = $3 and some_id = $4',
      'update t (status) [status=$1 owner_id=$3]',
    ],
    ['delete from t using o where o.id = $1 and t.id = $2', 'delete t () [id=$2]'],
    // Conditions: only what must be true of every row.
    ['update t set a = 1 where id = $1 or id = $2', 'update t (a) []'],
    ['update t set a = 1 where (id = $1 or x) and owner_id = $2', 'update t (a) [owner_id=$2]'],
    ['update t set a = 1 where ((id = $1) and (owner_id = $2))', 'update t (a) [id=$1 owner_id=$2]'],
    ['update t set a = 1 where not id = $1', 'update t (a) []'],
    ['update t set a = 1 where not (id = $1)', 'update t (a) []'],
    ['update t set a = 1 where id = any($1)', 'update t (a) []'],
    ['update t set a = 1 where id = $1 || $2', 'update t (a) []'],
    ['update t set a = 1 where b between 1 and 2 and id = $1', 'update t (a) [id=$1]'],
    ['update t set a = 1 where case when x and id = $1::uuid then true end', 'update t (a) []'],
    ['update t set owner_id = $1 where owner_id = $2', 'update t (owner_id) [owner_id=$1]'],
    ['update t set status = $1 where id = (select id from t where id = $2)', 'update t (status) [status=$1]'],
    ['update t set a = b is distinct from c, status = $1 where id = $2', 'update t (a status) [status=$1 id=$2]'],
    ['update t set (status, owner_id) = ($1, $2) where id = $3', 'update t (status owner_id) [id=$3]'],
    ['update t set tags_id[1] = $1, status = case when true then $2 end', 'update t (tags_id status) []'],
    // Sources of an insert.
    ['insert into t select * from (values ($1)) v', 'insert t ()'],
    ['insert into t (id) select $1', 'insert t (id)'],
    ['insert into t (select id from u)', 'insert t ()'],
    ['insert into t default values returning id', 'insert t () -> id'],
    ['insert into t values ($1, $2)', 'insert t () []'],
    [
      'insert into t (a_id) values ($1) on conflict (a_id) do update set (status, b) = ($2, $3), c = excluded.c where t.d <> $4 returning id',
      'insert t (a_id) or (status b c) [a_id=$1] -> id',
    ],
    ['insert into t (id, status) overriding system value values ($1, $2)', 'insert t (id status)'],
    ['insert into t (a_id, status) values (coalesce($1, $2), lower($3))', 'insert t (a_id status) []'],
    // What comes back.
    ['delete from t returning t.id, lower(status), status as s, old.status', 'delete t () [] -> id,?,?,?'],
    ['update t set a = 1 returning *, id', 'update t (a) []'],
    ['update t set a = 1 returning with (old as o) o.status', 'update t (a) []'],
    // Common table expressions.
    [
      'with x as (select 1), y (id) as materialized (update t set status = $1 where id = $2 returning id, status) insert into u (id) values ($3) returning id',
      'with update t (status) [status=$1 id=$2] + insert u (id) [id=$3] -> id',
    ],
    ['with gone as (delete from t where id = $1 returning *) select other, id from gone', 'with delete t () [id=$1]'],
    ['with recursive r as (select 1) select * from r', 'other'],
    // Several statements, comments, quotes.
    [
      '/* a /* nested; */ ; */ update t set a = $$;$$ where id = $tag1$ $$ ; $tag1$; -- rest; \n commit;;',
      "update t (a) [id=' $$ ; '] | commit",
    ],
    ["insert into t (id) values ('C:\\'); commit", "insert t (id) [id='C:\\'] | commit"],
    ["insert into t (id, status) values (E'\\';', 'x;y')", "insert t (id status) [id='\\';' status='x;y']"],
    [
      'create function f() returns int language sql begin atomic select 1; insert into t values (1); end; commit',
      'other | commit',
    ],
    ['', ''],
    [' ; -- nothing\n;', ''],
    ['insert into', 'other'],
    // Transactions.
    [
      'start transaction isolation level serializable; end; abort; rollback work',
      'begin | commit | rollback | rollback',
    ],
    ["commit prepared 'x'; rollback prepared 'x'; prepare transaction 'x'", 'other | other | other'],
    ['commit and chain', 'commit'],
    ['rollback transaction to savepoint "S p"', 'rollback_to S p'],
    // Copies.
    ['copy public.t (id, "B") from stdin with (format csv)', 'insert t (id B) copies in'],
    ["copy t from '/a/file' with (format csv)", 'insert t ()'],
    ['copy t (from_id) to stdout', 'other'],
    ['copy (select 1 from t) to stdout', 'other'],
    // Neither seen nor misread.
    ['merge into t using s on true when matched then update set a = 1', 'other'],
    ['truncate t', 'other'],
    ['explain update t set a = 1', 'other'],
    ['(update t set a = 1)', 'other'],
    ['lock table t', 'other'],
  ])('%s', (text, expected) => expect(read(text)).toBe(expected));
});

test('tokens keep what is quoted, and end at the end of a text that is cut anywhere', () => {
  const text = `insert into "a""b" values (E'x\\'y', 'o''k', $12, $f$ $ $f$, 1.5e3) -- end`;
  expect(sqlTokens(text).map(({ kind, value }) => `${kind}:${value}`)).toEqual([
    'word:insert',
    'word:into',
    'name:a"b',
    'word:values',
    'symbol:(',
    "text:x\\'y",
    'symbol:,',
    "text:o'k",
    'symbol:,',
    'parameter:12',
    'symbol:,',
    'text: $ ',
    'symbol:,',
    'number:1.5e3',
    'symbol:)',
  ]);
  for (let end = 0; end <= text.length; end += 1)
    expect(readStatements(text.slice(0, end)).length).toBeLessThanOrEqual(1);
});
