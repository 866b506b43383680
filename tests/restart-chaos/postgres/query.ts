/**
 * Reads the plane's database beside the plane: short limits, few connections, and a database that comes and goes.
 * No retries: a question that a crash interrupted fails, the next one gets a new connection. What failed is for the
 * caller to record, because a sweep that saw nothing proves nothing.
 * Trap: an idle connection that dies raises 'error' on the pool, which ends the process when nobody listens.
 */
import pg from 'pg';
import { HarnessError, errorText } from '../model/errors.ts';
import { withinTime } from '../process/wait.ts';

/** A small pool of connections to one database. */
export interface TruthConnection {
  /**
   * The rows of one statement; values as `pg` reads them (timestamps as Date, bigint as string). At most about 15 s:
   * 10 for a connection, 5 for the answer. Throws HarnessError('postgres-not-ready') with the statement and the reason.
   */
  query<Row extends pg.QueryResultRow>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** Ends all connections, within 2 s also when the server does not answer. May be called again. Never throws. */
  close(): Promise<void>;
}

// Up to 16 open tasks read once a second, most of them at the same moment. What they have to wait for each other must
// not look like a database that does not answer: pg counts the time in the pool's own queue as connecting.
const connections = 8;
const connectLimitMs = 10_000;
const answerTimeoutMs = 5_000;
const closeTimeoutMs = 2_000;

/** Prepares a pool of eight; connects at the first question. */
export function connectTruth(url: string, connectTimeoutMs = connectLimitMs): TruthConnection {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
    // The server gives up too, so that a question nobody waits for holds no locks.
    statement_timeout: answerTimeoutMs,
    application_name: 'restart-chaos-truth',
  });
  pool.on('error', () => undefined);
  let ended: Promise<void> | null = null;
  return {
    query: async <Row extends pg.QueryResultRow>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> => {
      try {
        // The pool throws away a connection whose question failed.
        return (await pool.query<Row>(sql, [...parameters])).rows;
      } catch (error) {
        throw queryError(url, sql, error);
      }
    },
    close: async () => {
      ended ??= pool.end().catch(() => undefined);
      await withinTime(ended, closeTimeoutMs);
    },
  };
}

function queryError(url: string, sql: string, error: unknown): HarnessError {
  const code = (error as { readonly code?: unknown }).code;
  const statement = sql.replace(/\s+/g, ' ').trim().slice(0, 200);
  return new HarnessError(
    'postgres-not-ready',
    `query on ${url} failed: ${errorText(error)}${code === undefined ? '' : ` (${String(code)})`}; statement: ${statement}`,
    { cause: error },
  );
}

/**
 * Makes an empty database on the server of `url`, which names a database that exists. Throws HarnessError
 * ('postgres-not-ready') also when the database is already there (42P04).
 */
export async function createDatabase(url: string, name: string): Promise<void> {
  const connection = connectTruth(url);
  try {
    await connection.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await connection.close();
  }
}
