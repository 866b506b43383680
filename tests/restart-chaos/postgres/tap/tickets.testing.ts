/** A real tap in front of a real Postgres with a table of tickets, and what tests of held commits do with it. */
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { CommitRule } from './commit-rules.ts';
import { frontendMessages as send } from './wire.testing.ts';
import { eventually, stageTap, type TapStage } from './stage.testing.ts';

export let stage: TapStage;
export let direct: pg.Client;
const closing: (() => Promise<unknown> | void)[] = [];

/** Call it once in a test file: the stage is there for each of its tests, and gone after them. */
export function useTicketStage(): void {
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
}

export const isThere = async (id: string): Promise<boolean> =>
  ((await direct.query('select 1 from tickets where id = $1', [id])).rowCount ?? 0) > 0;

let rules = 0;
let rows = 0;

/** What is told of one test may come during the next. */
export function unique(id: string): string {
  rows += 1;
  return `${id} ${rows}`;
}

export async function arm(pattern = 'insert tickets', more: Partial<CommitRule> = {}): Promise<string> {
  rules += 1;
  const rule: CommitRule = { id: `rule ${rules}`, task: null, pattern, occurrence: 1, ...more };
  await stage.tap.ask({ do: 'arm', rule });
  closing.push(() => stage.tap.ask({ do: 'disarm', id: rule.id }));
  return rule.id;
}

/** The rule whose commit was held last. */
export function heldRule(): string {
  return stage.told.held.at(-1)?.rule.id ?? 'none';
}

export async function held(): Promise<{ readonly rule: string; readonly transaction: string | null }> {
  await eventually('a held commit', () => stage.told.held.length > 0);
  const commit = stage.told.held.at(-1);
  const { rows } = await direct.query<{ xid: string | null }>(
    'select backend_xid::text as xid from pg_stat_activity where pid = $1',
    [commit?.backendPid],
  );
  return { rule: commit?.rule.id ?? '', transaction: rows[0]?.xid ?? null };
}

export async function endOf(transaction: string | null): Promise<string> {
  let status = '';
  await eventually(`the end of transaction ${transaction}`, async () => {
    const { rows } = await direct.query<{ status: string }>('select pg_xact_status($1::xid8) as status', [transaction]);
    status = rows[0]?.status ?? '';
    return status !== 'in progress';
  });
  return status;
}

export async function viaPg(): Promise<pg.Client> {
  const client = new pg.Client(stage.tapUrl);
  client.on('error', () => undefined);
  await client.connect();
  closing.push(() => client.end().catch(() => undefined));
  return client;
}

export function viaPostgres(): postgres.Sql {
  const sql = postgres(stage.tapUrl, { max: 1, onnotice: () => undefined });
  closing.push(() => sql.end({ timeout: 1 }));
  return sql;
}
export async function rawSession(): Promise<Socket> {
  const socket = connect({ port: Number(new URL(stage.tapUrl).port), host: '127.0.0.1', noDelay: true });
  socket.on('error', () => undefined);
  closing.push(() => void socket.destroy());
  await answered(socket, send.startup(new URL(stage.tapUrl).username, 'postgres'));
  return socket;
}

/** Sends and resolves with ReadyForQuery. */
export function answered(socket: Socket, ...messages: readonly Buffer[]): Promise<Buffer> {
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
export function watch(promise: Promise<unknown>): { state: 'pending' | 'done' | 'failed' } {
  const watched: { state: 'pending' | 'done' | 'failed' } = { state: 'pending' };
  promise.then(
    () => (watched.state = 'done'),
    () => (watched.state = 'failed'),
  );
  return watched;
}
