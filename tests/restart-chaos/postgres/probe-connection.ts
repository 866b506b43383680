/**
 * One look at a database through a connection of its own, with a limit: whether the connection is made, whether an
 * answer comes, and how long the answer takes. Never throws: what came instead of an answer is the result.
 * No pool: a connection from before a disturbance would tell of the time before it.
 */
import { Socket } from 'node:net';
import pg from 'pg';
import { errorText } from '../model/errors.ts';
import { withinTime } from '../process/wait.ts';

export interface ConnectionLook {
  /** Whether somebody took the connection at all, a database or not. */
  readonly connected: boolean;
  /** From the question, asked in an open session, to its answer; null when none came. */
  readonly answeredMs: number | null;
  /** Why there is no answer; null when there is one. */
  readonly instead: string | null;
}

/** Connects, asks `select 1` and cuts the connection; at most `withinMs` for all of it. */
export async function probeConnection(url: string, withinMs: number): Promise<ConnectionLook> {
  const socket = new Socket();
  let connected = false;
  socket.once('connect', () => {
    connected = true;
  });
  const client = new pg.Client({
    connectionString: url,
    stream: () => socket,
    application_name: 'restart-chaos-probe',
  });
  // Raised beside the rejection of whatever was asked, and once more when the socket is cut below.
  client.on('error', () => undefined);
  const asked = ask(client);
  try {
    const answeredMs = await withinTime(asked, withinMs);
    const instead = answeredMs === null ? `no answer within ${withinMs} ms` : null;
    return { connected, answeredMs, instead };
  } catch (error) {
    return { connected, answeredMs: null, instead: errorText(error) };
  } finally {
    asked.catch(() => undefined);
    socket.destroy();
  }
}

async function ask(client: pg.Client): Promise<number> {
  await client.connect();
  const askedAtMs = performance.now();
  await client.query('select 1');
  return performance.now() - askedAtMs;
}
