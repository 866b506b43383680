import { connect, type Socket } from 'node:net';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sleep } from '../../process/wait.ts';
import type { CommitRule } from './commit-rules.ts';
import { frontendMessages as send } from './wire.testing.ts';
import { eventually, stageTap, type TapStage } from './stage.testing.ts';

let stage: TapStage;
let direct: pg.Client;
const closing: (() => Promise<unknown> | void)[] = [];

beforeAll(async () => {
  stage = await stageTap();
  direct = new pg.Client(stage.directUrl);
  await direct.connect();
  await direct.query('create table tickets (id text primary key, status text, owner_id text, other_id text)');
  await direct.query('create table unlike (id text unique deferrable initially deferred)');
});

afterAll(async () => {
  await direct.end();
  await stage.close();
});

beforeEach(async () => {
  await direct.query('truncate tickets, unlike');
  stage.told.held.length = 0;
  stage.told.missed.length = 0;
});

afterEach(async () => {
  await stage.tap.ask({ do: 'cut_held', rule: heldRule() });
  await stage.tap.ask({ do: 'suspend', suspended: false, keep: null });
  for (const close of closing.splice(0)) await close();
});

const isThere = async (id: string): Promise<boolean> =>
  ((await direct.query('select 1 from tickets where id = $1', [id])).rowCount ?? 0) > 0;

let rules = 0;
let rows = 0;

/** What is told of one test may come during the next. */
function unique(id: string): string {
  rows += 1;
  return `${id} ${rows}`;
}

async function arm(pattern = 'insert tickets', more: Partial<CommitRule> = {}): Promise<string> {
  rules += 1;
  const rule: CommitRule = { id: `rule ${rules}`, task: null, pattern, occurrence: 1, ...more };
  await stage.tap.ask({ do: 'arm', rule });
  closing.push(() => stage.tap.ask({ do: 'disarm', id: rule.id }));
  return rule.id;
}

/** The rule whose commit was held last. */
function heldRule(): string {
  return stage.told.held.at(-1)?.rule.id ?? 'none';
}

async function held(): Promise<{ readonly rule: string; readonly transaction: string | null }> {
  await eventually('a held commit', () => stage.told.held.length > 0);
  const commit = stage.told.held.at(-1);
  const { rows } = await direct.query<{ xid: string | null }>(
    'select backend_xid::text as xid from pg_stat_activity where pid = $1',
    [commit?.backendPid],
  );
  return { rule: commit?.rule.id ?? '', transaction: rows[0]?.xid ?? null };
}

async function endOf(transaction: string | null): Promise<string> {
  let status = '';
  await eventually(`the end of transaction ${transaction}`, async () => {
    const { rows } = await direct.query<{ status: string }>('select pg_xact_status($1::xid8) as status', [transaction]);
    status = rows[0]?.status ?? '';
    return status !== 'in progress';
  });
  return status;
}

async function viaPg(): Promise<pg.Client> {
  const client = new pg.Client(stage.tapUrl);
  client.on('error', () => undefined);
  await client.connect();
  closing.push(() => client.end().catch(() => undefined));
  return client;
}

function viaPostgres(): postgres.Sql {
  const sql = postgres(stage.tapUrl, { max: 1, onnotice: () => undefined });
  closing.push(() => sql.end({ timeout: 1 }));
  return sql;
}

/** Begins to write a ticket in one way; says when the client believes that it is written. */
type Way = (id: string) => Promise<unknown>;

const ways: Readonly<Record<string, () => Promise<Way>>> = {
  'an explicit COMMIT of pg': async () => {
    const client = await viaPg();
    return async (id) => {
      await client.query('begin');
      await client.query('insert into tickets (id, status) values ($1, $2)', [id, 'todo']);
      return client.query('commit');
    };
  },
  'an explicit COMMIT of postgres.js': async () => {
    const sql = viaPostgres();
    return (id) => sql.begin(async (open) => open`insert into tickets (id, status) values (${id}, 'todo')`);
  },
  'an autocommit of pg in the extended protocol': async () => {
    const client = await viaPg();
    return (id) => client.query('insert into tickets (id, status) values ($1, $2)', [id, 'todo']);
  },
  'an autocommit of postgres.js': async () => {
    const sql = viaPostgres();
    return (id) => sql`insert into tickets (id, status) values (${id}, 'todo') returning id`.execute();
  },
  'a COMMIT in the extended protocol, pipelined with all before it': async () => {
    const socket = await rawSession();
    return (id) =>
      answered(
        socket,
        send.extended('begin'),
        send.extended(`insert into tickets (id) values ($1)`, [id]),
        send.extended('commit'),
        send.sync,
      );
  },
  'a COMMIT whose message comes byte by byte': async () => {
    const socket = await rawSession();
    return async (id) => {
      await answered(socket, send.query('begin'));
      await answered(socket, send.query(`insert into tickets (id) values ('${id}')`));
      const message = send.query('commit');
      const done = answered(socket);
      for (const byte of message) {
        socket.write(Buffer.from([byte]));
        await sleep(1);
      }
      return done;
    };
  },
};

/** Ways in which nothing but the whole statement can be held: it has no number before it is sent. */
const wholeStatements: Readonly<Record<string, () => Promise<Way>>> = {
  'an autocommit in a simple query': async () => {
    const client = await viaPg();
    return (id) => client.query(`insert into tickets (id) values ('${id}')`);
  },
  'BEGIN to COMMIT in one simple query': async () => {
    const client = await viaPg();
    return (id) => client.query(`begin; insert into tickets (id) values ('${id}'); commit`);
  },
};

async function rawSession(): Promise<Socket> {
  const socket = connect({ port: Number(new URL(stage.tapUrl).port), host: '127.0.0.1', noDelay: true });
  socket.on('error', () => undefined);
  closing.push(() => void socket.destroy());
  await answered(socket, send.startup(new URL(stage.tapUrl).username, 'postgres'));
  return socket;
}

/** Sends and resolves with ReadyForQuery. */
function answered(socket: Socket, ...messages: readonly Buffer[]): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let heard: Buffer = Buffer.alloc(0);
    const listen = (chunk: Buffer): void => {
      heard = Buffer.concat([heard, chunk]);
      if (heard.at(-6) !== 0x5a || heard.readInt32BE(heard.length - 5) !== 5) return;
      socket.off('data', listen);
      resolve(heard);
    };
    socket.on('data', listen);
    socket.once('close', () => reject(new Error(`closed after ${heard.toString('latin1')}`)));
    if (messages.length > 0) socket.write(Buffer.concat(messages));
  });
}

/** What a promise has come to, without waiting for it. */
function watch(promise: Promise<unknown>): { state: 'pending' | 'done' | 'failed' } {
  const watched: { state: 'pending' | 'done' | 'failed' } = { state: 'pending' };
  promise.then(
    () => (watched.state = 'done'),
    () => (watched.state = 'failed'),
  );
  return watched;
}

describe.each(Object.entries({ ...ways, ...wholeStatements }))('%s', (name, prepare) => {
  const hasNumber = name in ways;

  test('is held: nobody sees the row, and cut off it never becomes one', async () => {
    const write = await prepare();
    const before = unique('before');
    const rule = await arm();
    const client = watch(write(before));
    const commit = await held();
    expect(commit.rule).toBe(rule);
    expect(commit.transaction !== null).toBe(hasNumber);
    await sleep(30);
    expect(client.state).toBe('pending');
    expect(await isThere(before)).toBe(false);
    await stage.tap.ask({ do: 'cut_held', rule: heldRule() });
    if (hasNumber) expect(await endOf(commit.transaction)).toBe('aborted');
    expect(await isThere(before)).toBe(false);
    expect(stage.told.held).toHaveLength(1);
    expect(
      stage.told.wrote.filter(({ statements, outcome }) => outcome !== 'rolled_back' && names(statements, before)),
    ).toEqual([]);
  });

  test('is let commit: the row is there, the client has heard nothing', async () => {
    const write = await prepare();
    const after = unique('after');
    await arm();
    const client = watch(write(after));
    const commit = await held();
    expect(await stage.tap.ask({ do: 'let_commit', rule: heldRule() })).toBe('committed');
    expect(await isThere(after)).toBe(true);
    if (hasNumber) expect(await endOf(commit.transaction)).toBe('committed');
    await sleep(30);
    expect(client.state).toBe('pending');
    await stage.tap.ask({ do: 'cut_held', rule: heldRule() });
    expect(await isThere(after)).toBe(true);
    expect(stage.told.wrote.filter(({ statements }) => names(statements, after))).toMatchObject([
      { outcome: 'committed' },
    ]);
  });

  test('is let go: the client goes on and hears everything', async () => {
    const write = await prepare();
    const [first, second] = [unique('first'), unique('second')];
    await arm();
    const firstWritten = write(first);
    const client = watch(firstWritten);
    await held();
    expect(client.state).toBe('pending');
    await stage.tap.ask({ do: 'let_go', rule: heldRule() });
    await firstWritten;
    await write(second);
    expect(await isThere(first)).toBe(true);
    expect(await isThere(second)).toBe(true);
    expect(stage.told.held).toHaveLength(1);
  });
});

function names(
  statements: readonly { readonly named: readonly Readonly<Record<string, string>>[] }[],
  id: string,
): boolean {
  return statements.some(({ named }) => named.some((row) => row['id'] === id));
}

describe('a held commit', () => {
  test('outlives its client: the server hears of the death only when it is decided what becomes of the commit', async () => {
    const client = await viaPg();
    await client.query('begin');
    await client.query("insert into tickets (id) values ('orphan')");
    await arm();
    client.query('commit').catch(() => undefined);
    const { transaction } = await held();
    expect(await stage.tap.ask({ do: 'is_holding', rule: heldRule() })).toBe(true);
    (client as unknown as { connection: { stream: Socket } }).connection.stream.resetAndDestroy();
    await eventually(
      'the death to be known',
      async () => !(await stage.tap.ask({ do: 'is_holding', rule: heldRule() })),
    );
    await sleep(50);
    const { rows } = await direct.query('select pg_xact_status($1::xid8) as status', [transaction]);
    expect(rows).toEqual([{ status: 'in progress' }]);
    expect(await stage.tap.ask({ do: 'let_commit', rule: heldRule() })).toBe('committed');
    expect(await isThere('orphan')).toBe(true);
  });

  test('that is sent and fails says so', async () => {
    await direct.query("insert into unlike values ('twice')");
    const client = await viaPg();
    await client.query('begin');
    await client.query("insert into unlike (id) values ('twice')");
    await arm('insert unlike');
    client.query('commit').catch(() => undefined);
    await held();
    expect(await stage.tap.ask({ do: 'let_commit', rule: heldRule() })).toBe('rolled_back');
  });

  test('of a simple query that changes nothing says so', async () => {
    const client = await viaPg();
    await arm('update tickets set status');
    client.query("update tickets set status = 'done' where id = 'nobody'").catch(() => undefined);
    await held();
    expect(await stage.tap.ask({ do: 'let_commit', rule: heldRule() })).toBe('nothing');
  });

  test('lets everything behind it go on in order', async () => {
    const socket = await rawSession();
    await arm();
    const all = answered(socket, send.extended('insert into tickets (id) values ($1)', ['held']), send.sync);
    await held();
    const rest = Array.from({ length: 50 }, (_, index) =>
      Buffer.concat([send.extended('insert into tickets (id) values ($1)', [`t${index}`]), send.sync]),
    );
    for (const message of rest) socket.write(message);
    await sleep(20);
    expect((await direct.query('select id from tickets')).rowCount).toBe(0);
    await stage.tap.ask({ do: 'let_go', rule: heldRule() });
    await all;
    await eventually('all rows', async () => (await direct.query('select 1 from tickets')).rowCount === 51);
  });

  test('is reached by the name of its own rule only', async () => {
    const client = await viaPg();
    const rule = await arm();
    const written = client.query('insert into tickets (id) values ($1)', ['mine']);
    await held();
    expect(await stage.tap.ask({ do: 'is_holding', rule: 'another' })).toBe(false);
    expect(await stage.tap.ask({ do: 'let_commit', rule: 'another' })).toBe('closed');
    await stage.tap.ask({ do: 'cut_held', rule: 'another' });
    await stage.tap.ask({ do: 'let_go', rule: 'another' });
    expect(await stage.tap.ask({ do: 'is_holding', rule })).toBe(true);
    expect(await isThere('mine')).toBe(false);
    await stage.tap.ask({ do: 'let_go', rule });
    await written;
  });

  test('is dropped, not sent, when it is let go after its client died', async () => {
    const client = await viaPg();
    await client.query('begin');
    await client.query("insert into tickets (id) values ('of the dead')");
    const rule = await arm();
    client.query('commit').catch(() => undefined);
    const { transaction } = await held();
    (client as unknown as { connection: { stream: Socket } }).connection.stream.resetAndDestroy();
    await eventually('the death to be known', async () => !(await stage.tap.ask({ do: 'is_holding', rule })));
    await stage.tap.ask({ do: 'let_go', rule });
    expect(await endOf(transaction)).toBe('aborted');
    expect(await isThere('of the dead')).toBe(false);
  });

  test('goes on when something else is to be done to the plane, unless it is the one to be kept', async () => {
    const client = await viaPg();
    const rule = await arm();
    const written = client.query('insert into tickets (id) values ($1)', ['in the way']);
    await held();
    await stage.tap.ask({ do: 'suspend', suspended: true, keep: rule });
    expect(await stage.tap.ask({ do: 'is_holding', rule })).toBe(true);
    await stage.tap.ask({ do: 'suspend', suspended: true, keep: null });
    await written;
    expect(await isThere('in the way')).toBe(true);
  });

  test('is gone with its server: nothing is left to send', async () => {
    const client = await viaPg();
    await arm();
    client.query('insert into tickets (id) values ($1)', ['lost']).catch(() => undefined);
    await held();
    await direct.query('select pg_terminate_backend($1)', [stage.told.held[0]?.backendPid]);
    await eventually(
      'the connection to go',
      async () => (await stage.tap.ask({ do: 'let_commit', rule: heldRule() })) === 'closed',
    );
    expect(await isThere('lost')).toBe(false);
  });
});

describe('a rule', () => {
  test('is met at its occurrence, once', async () => {
    const client = await viaPg();
    const rule = await arm('insert tickets', { occurrence: 3 });
    await client.query("insert into tickets (id) values ('1')");
    await client.query('insert into tickets (id) values ($1)', ['2']);
    await client.query('begin');
    await client.query('insert into tickets (id) values ($1)', ['rolled back']);
    await client.query('rollback');
    await client.query('insert into unlike (id) values ($1)', ['unlike']);
    client.query('insert into tickets (id) values ($1)', ['3']).catch(() => undefined);
    expect((await held()).rule).toBe(rule);
    expect(await isThere('2')).toBe(true);
    expect(await isThere('3')).toBe(false);
    await stage.tap.ask({ do: 'let_go', rule: heldRule() });
    await client.query('insert into tickets (id) values ($1)', ['4']);
    expect(stage.told.held).toHaveLength(1);
    expect(stage.told.missed).toEqual([]);
  });

  test('waits for its own task only', async () => {
    const client = await viaPg();
    await stage.tap.ask({ do: 'know', id: 'agent 1', task: 't01' });
    await stage.tap.ask({ do: 'know', id: 'agent 2', task: 't02' });
    await arm('insert tickets', { task: 't02' });
    await client.query('insert into tickets (id, owner_id) values ($1, $2)', ['a', 'agent 1']);
    await client.query('insert into tickets (id) values ($1)', ['b']);
    client.query('insert into tickets (id, owner_id) values ($1, $2)', ['c', 'agent 2']).catch(() => undefined);
    await held();
    expect(stage.told.held[0]).toMatchObject({
      tasks: ['t02'],
      statements: [{ named: [{ id: 'c', owner_id: 'agent 2' }] }],
    });
    expect(await isThere('b')).toBe(true);
  });

  test('for a value is met by this value only, also one that the update does not know itself', async () => {
    const client = await viaPg();
    await direct.query("insert into tickets (id, status) values ('x', 'todo')");
    await arm('update tickets set status=done');
    await client.query('update tickets set status = $1 where id = $2', ['doing', 'x']);
    client.query('update tickets set status = $1 where id = $2 returning id', ['done', 'x']).catch(() => undefined);
    await held();
    expect((await direct.query('select status from tickets')).rows).toEqual([{ status: 'doing' }]);
  });

  test('that is due while the tap is suspended, or another commit is held, is missed and says so', async () => {
    const client = await viaPg();
    const suspended = await arm('insert tickets');
    await stage.tap.ask({ do: 'suspend', suspended: true, keep: null });
    await client.query('insert into tickets (id) values ($1)', ['suspended']);
    await stage.tap.ask({ do: 'suspend', suspended: false, keep: null });
    expect(stage.told.missed).toEqual([suspended]);

    const other = await viaPg();
    await arm('insert tickets');
    const second = await arm('insert unlike');
    client.query('insert into tickets (id) values ($1)', ['held']).catch(() => undefined);
    await held();
    await other.query('insert into unlike (id) values ($1)', ['passes']);
    expect(stage.told.missed).toEqual([suspended, second]);
    expect(stage.told.held).toHaveLength(1);
  });
});
