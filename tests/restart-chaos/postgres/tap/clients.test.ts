import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TapeStatement, WriteTransaction } from '../../model/tape.ts';
import { stageTap, type TapStage } from './stage.testing.ts';

let stage: TapStage;

beforeAll(async () => {
  stage = await stageTap(['leases']);
  const client = new pg.Client(stage.directUrl);
  await client.connect();
  await client.query(`
    create table issues (id uuid primary key default gen_random_uuid(), title text, status text, parent_id uuid, body text);
    create table runs (id uuid primary key default gen_random_uuid(), issue_id uuid, status text);
    create table leases (id text primary key, holder_id text)`);
  await client.end();
});

afterAll(async () => {
  expect(stage.told.errors).toEqual([]);
  expect(stage.told.lost).toEqual([]);
  await stage.close();
});

beforeEach(async () => {
  const client = new pg.Client(stage.directUrl);
  await client.connect();
  await client.query('truncate issues, runs');
  await client.end();
});

/** Runs the same work on both ways; what it answers must be equal. */
async function onBothWays<T>(work: (url: string) => Promise<T>): Promise<T> {
  const direct = await work(stage.directUrl);
  const tapped = await work(stage.tapUrl);
  expect(tapped).toEqual(direct);
  return tapped;
}

async function withPg<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function withPostgres<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

const brief = ({ outcome, statements }: WriteTransaction): unknown => [outcome, ...statements.map(statementText)];
const statementText = ({ verb, table, columns, rows }: TapeStatement): string =>
  `${verb} ${table} (${columns.join(' ')}) ${rows}`;

describe('pg through the tap', () => {
  test('gets the same rows and errors as directly', async () => {
    await onBothWays((url) =>
      withPg(url, async (client) => {
        const large = 'x'.repeat(3_000_000);
        const answers = [
          (
            await client.query('select $1::text as large, $2::int as small, $3::bytea as bytes', [
              large,
              7,
              Buffer.alloc(70_000, 3),
            ])
          ).rows,
          (await client.query('select 1 as one; select 2 as two')) as unknown,
          (await client.query('')).rows,
          await client.query('select 1/0').catch((error: Error) => error.message),
          await client.query('select $1::int', ['none']).catch((error: Error) => error.message),
          (await client.query({ name: 'named', text: 'select $1::int + 1 as next', values: [1] })).rows,
          (await client.query({ name: 'named', text: 'select $1::int + 1 as next', values: [2] })).rows,
          (await client.query({ text: 'select generate_series(1, 100000) as n', rowMode: 'array' })).rows.length,
        ];
        return JSON.stringify(answers);
      }),
    );
  });

  test('that takes the rows of a write one by one leaves that write on the tape', async () => {
    await withPg(stage.tapUrl, async (client) => {
      await client.query('insert into issues (id, status) values ($1, $3), ($2, $3)', [
        randomUUID(),
        randomUUID(),
        'x',
      ]);
      const oneByOne = { text: 'update issues set status = $1 returning id', values: ['y'], rows: 1 };
      expect((await client.query(oneByOne)).rows).toHaveLength(2);
    });
    const [, update] = await stage.tape(2);
    expect(update).toMatchObject({ outcome: 'committed' });
    expect(update?.statements[0]).toMatchObject({ verb: 'update', table: 'issues', rows: 0, isCountUnknown: true });
  });

  test('leaves a tape of its transactions, of what they changed and of nothing else', async () => {
    const [issue, child, run] = [randomUUID(), randomUUID(), randomUUID()];
    await withPg(stage.tapUrl, async (client) => {
      await client.query('begin');
      await client.query('insert into issues (id, title, status) values ($1, $2, $3)', [issue, 'a title', 'todo']);
      await client.query('savepoint s');
      await client.query('insert into issues (id, parent_id) values ($1, $2)', [randomUUID(), issue]);
      await client.query('rollback to savepoint s');
      await client.query(`insert into "runs" ("id", "issue_id") values ('${run}'::uuid, '${issue}')`);
      await client.query('commit');
      await client.query('select * from issues');
      await client.query('update issues set status = $1 where id = $2', ['done', child]);
      await client.query('insert into issues (id, parent_id) values ($1, $2)', [child, issue]);
      await client.query('begin');
      await client.query('update issues set status = $1 where id = $2 and status = $3', ['done', issue, 'todo']);
      await client.query('rollback');
      await client.query('begin');
      await client.query('delete from runs where id = $1', [run]);
      await client.query('insert into runs (id) values ($1)', ['no uuid']).catch(() => null);
      await client.query('commit');
      await client.query('insert into leases values ($1, $2)', ['l', 'h']);
      await client.query('insert into issues (title) select generate_series(1, 500)::text');
    });
    const tape = await stage.tape(5);
    expect(tape.map(brief)).toEqual([
      ['committed', 'insert issues (id title status) 1', 'insert runs (id issue_id) 1'],
      ['committed', 'insert issues (id parent_id) 1'],
      ['rolled_back', 'update issues (status) 1'],
      ['rolled_back', 'delete runs () 1'],
      ['committed', 'insert issues (title) 500'],
    ]);
    expect(tape[0]?.statements.map(({ named }) => named)).toEqual([
      [{ id: issue, status: 'todo' }],
      [{ id: run, issue_id: issue }],
    ]);
    expect(tape[2]?.statements[0]?.named).toEqual([{ id: issue, status: 'done' }]);
    const times = tape.flatMap(({ beganAtMs, askedAtMs, endedAtMs }) => [beganAtMs, askedAtMs, endedAtMs]);
    expect(times).toEqual(times.toSorted((left, right) => left - right));
    expect((await stage.tap.counts()).housekeeping).toBe(1);
  });

  test('hears notices and notifications, and its statements can be cancelled', async () => {
    const cancelled = await onBothWays((url) =>
      withPg(url, async (client) => {
        const heard: unknown[] = [];
        client.on('notice', ({ message }) => heard.push(message));
        client.on('notification', ({ channel, payload }) => heard.push([channel, payload]));
        await client.query('listen news');
        await client.query(
          "do $$ begin raise notice 'from inside'; perform pg_notify('news', repeat('y', 5000)); end $$",
        );
        await client.query('select 1');
        const { processID, secretKey } = client as unknown as { processID: number; secretKey: number };
        const slow = client.query('select pg_sleep(20)').catch((error: Error) => error.message);
        const canceller = new pg.Client(url) as unknown as {
          connection: {
            connect(port: number, host: string): void;
            cancel(pid: number, key: number): void;
            on(what: string, then: () => void): void;
          };
        };
        const { port, hostname } = new URL(url);
        canceller.connection.on('connect', () => canceller.connection.cancel(processID, secretKey));
        canceller.connection.on('error', () => undefined);
        canceller.connection.connect(Number(port), hostname);
        heard.push(await slow);
        return heard;
      }),
    );
    expect(cancelled.at(-1)).toMatch(/canceling statement due to user request/);
  });
});

describe('postgres.js through the tap', () => {
  test('gets the same rows as directly: pipelined, prepared, in transactions, with savepoints', async () => {
    await onBothWays((url) =>
      withPostgres(url, async (sql) => {
        const many = await Promise.all(Array.from({ length: 200 }, (_, n) => sql`select ${n}::int as n`));
        const nested = await sql.begin(async (open) => {
          await open`insert into issues (title) values ('kept')`;
          await open.savepoint(async (inner) => inner`select 1/0`).catch(() => null);
          return open`select count(*)::int as n from issues where title = 'kept'`;
        });
        await sql`truncate issues`;
        return JSON.stringify([many, nested]);
      }),
    );
    expect((await stage.tape(1)).map(brief)).toEqual([['committed', 'insert issues (title) 1']]);
  });

  test('leaves a tape of pipelined autocommits, of returned ids and of copied rows', async () => {
    await withPostgres(stage.tapUrl, async (sql) => {
      const [issue] = await sql<
        { id: string }[]
      >`insert into issues ${sql({ title: 'new', status: 'todo' })} returning *`;
      await Promise.all([
        sql`insert into runs ("issue_id", "status") values (${issue?.id ?? ''}, 'queued') returning "id", "issue_id"`,
        sql`select 1`,
        sql`insert into runs (status) values ('no such column' || 1/0)`.catch(() => null),
        sql`update issues set status = 'done' where id = ${issue?.id ?? ''}`,
      ]);
      const into = await sql`copy issues (title, status) from stdin`.writable();
      await new Promise<void>((resolve, reject) => {
        into.on('error', reject);
        into.on('finish', resolve);
        for (let row = 0; row < 1000; row += 1) into.write(`title ${row}\ttodo\n`);
        into.end();
      });
      let bytes = 0;
      for await (const chunk of await sql`copy issues to stdout`.readable()) bytes += (chunk as Buffer).length;
      expect(bytes).toBeGreaterThan(10_000);
      await sql`insert into runs (status) values ('after copy')`;
    });
    const tape = await stage.tape(5);
    expect(tape.map(brief)).toEqual([
      ['committed', 'insert issues (title status) 1'],
      ['committed', 'insert runs (issue_id status) 1'],
      ['committed', 'update issues (status) 1'],
      ['committed', 'insert issues (title status) 1000'],
      ['committed', 'insert runs (status) 1'],
    ]);
    expect(tape[1]?.statements[0]?.named).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        issue_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        status: 'queued',
      },
    ]);
    expect(tape[2]?.statements[0]?.named).toMatchObject([
      { status: 'done', id: tape[1]?.statements[0]?.named[0]?.['issue_id'] },
    ]);
  });
});

const run = promisify(execFile);

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const clientEnvironment = { PATH: process.env['PATH'] ?? '', PGCONNECT_TIMEOUT: '10', LC_ALL: 'C' };

describe('the programs of Postgres through the tap', () => {
  const psql = isInstalled('psql') ? test : test.skip;
  psql('psql says the same as directly (needs psql: Debian package postgresql-client)', async () => {
    const script = [
      'select 1 as one, null as nothing',
      'begin; insert into issues (title) values (1), (2); commit',
      "\\copy issues (title) from program 'seq 1 1000'",
      'select count(*) from issues',
      'select * from nowhere',
      "create function pg_temp.both() returns int language sql begin atomic select 1; select 2; end; insert into runs (status) values ('same query')",
      '\\copy (select title from issues order by id) to /dev/null',
      'truncate issues, runs',
    ];
    const output = await onBothWays(async (url) => {
      const arguments_ = script.flatMap((line) => ['-c', line]);
      const { stdout, stderr } = await run('psql', ['-X', url, ...arguments_], { env: clientEnvironment });
      return `${stdout}${stderr}`;
    });
    expect(output).toContain('1002');
    expect((await stage.tape(3)).map(brief)).toEqual([
      ['committed', 'insert issues (title) 2'],
      ['committed', 'insert issues (title) 1000'],
      ['committed', 'insert runs (status) 1'],
    ]);
  });

  const pgbench = isInstalled('pgbench') ? test : test.skip;
  pgbench.each(['simple', 'extended', 'prepared'])(
    'pgbench works in the %s protocol, and each of its transactions is on the tape (needs pgbench: Debian package postgresql)',
    async (protocol) => {
      await run('pgbench', ['-i', '-q', '-s', '1', stage.directUrl], { env: clientEnvironment });
      const { stdout } = await run('pgbench', ['-n', '-M', protocol, '-c', '3', '-t', '40', stage.tapUrl], {
        env: clientEnvironment,
      });
      expect(stdout).toMatch(/number of transactions actually processed: 120\/120/);
      const tape = await stage.tape(120);
      expect(new Set(tape.map(({ statements }) => statements.map(statementText).join(', ')))).toEqual(
        new Set([
          'update pgbench_accounts (abalance) 1, update pgbench_tellers (tbalance) 1, update pgbench_branches (bbalance) 1, insert pgbench_history (tid bid aid delta mtime) 1',
        ]),
      );
      expect(new Set(tape.map(({ connection }) => connection)).size).toBe(3);
      expect(new Set(tape.map(({ outcome }) => outcome))).toEqual(new Set(['committed']));
    },
  );

  pgbench('pgbench pipelines through the tap', async () => {
    const script = `${stage.directory}/pipeline.sql`;
    const { writeFile } = await import('node:fs/promises');
    await writeFile(
      script,
      "\\startpipeline\nbegin;\ninsert into runs (status) values ('a');\ncommit;\ninsert into runs (status) values ('b');\nselect 1;\n\\endpipeline\n",
    );
    await run('pgbench', ['-n', '-M', 'extended', '-c', '2', '-t', '20', '-f', script, stage.tapUrl], {
      env: clientEnvironment,
    });
    const tape = await stage.tape(80);
    expect(new Set(tape.map(brief).map(String))).toEqual(new Set(['committed,insert runs (status) 1']));
  });
});
