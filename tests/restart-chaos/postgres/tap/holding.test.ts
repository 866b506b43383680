import { sleep } from '../../process/wait.ts';
import { frontendMessages as send } from './wire.testing.ts';
import { describe, expect, test } from 'vitest';
import {
  useTicketStage,
  answered,
  arm,
  endOf,
  held,
  heldRule,
  isThere,
  rawSession,
  stage,
  unique,
  viaPg,
  viaPostgres,
  watch,
} from './tickets.testing.ts';

useTicketStage();

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
