import type { Socket } from 'node:net';
import { sleep } from '../../process/wait.ts';
import { frontendMessages as send } from './wire.testing.ts';
import { eventually } from './stage.testing.ts';
import { describe, expect, test } from 'vitest';
import {
  useTicketStage,
  answered,
  arm,
  direct,
  endOf,
  held,
  heldRule,
  isThere,
  rawSession,
  stage,
  viaPg,
} from './tickets.testing.ts';

useTicketStage();

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
    await expect.poll(() => stage.told.missed).toEqual([suspended]);

    const other = await viaPg();
    await arm('insert tickets');
    const second = await arm('insert unlike');
    client.query('insert into tickets (id) values ($1)', ['held']).catch(() => undefined);
    await held();
    await other.query('insert into unlike (id) values ($1)', ['passes']);
    // The tap's word comes on a way of its own, and can be later than the answer of the database.
    await expect.poll(() => stage.told.missed).toEqual([suspended, second]);
    expect(stage.told.held).toHaveLength(1);
  });
});
