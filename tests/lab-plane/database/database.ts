/**
 * The plane's database: statements, and transactions that hold or leave nothing behind. A statement that names a row
 * names it by id, so that whoever reads along on the wire knows which row changed.
 */
import pg from 'pg';

/** Runs statements, alone or inside one transaction. */
export interface Sql {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

export interface Database extends Sql {
  /** Commits what `act` did when it resolves, takes it back when it rejects. */
  transaction<T>(act: (sql: Sql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const connectMs = 5_000;
// A transaction waits for the locks of another; none takes longer than a few statements.
const answerMs = 15_000;

/** Connects at the first statement. An idle connection that dies is replaced; one that dies at work rejects. */
export function openDatabase(url: string): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: 8,
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    application_name: 'lab-plane',
  });
  pool.on('error', () => undefined);
  return {
    query: (text, values) => rowsOf(pool, text, values),
    transaction: (act) => inTransaction(pool, act),
    close: () => pool.end(),
  };
}

/** The first row. Throws an Error with the statement when there is none. */
export async function oneRow<Row extends object>(sql: Sql, text: string, values?: readonly unknown[]): Promise<Row> {
  const [row] = await sql.query<Row>(text, values);
  if (row === undefined) throw new Error(`no row for: ${text.replace(/\s+/g, ' ').trim()}`);
  return row;
}

async function rowsOf<Row extends object>(
  client: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  return (await client.query<pg.QueryResultRow>(text, [...values])).rows as Row[];
}

async function inTransaction<T>(pool: pg.Pool, act: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  // A connection that dies between two statements of the transaction tells only this listener.
  const onError = (): void => void (broken = true);
  client.on('error', onError);
  try {
    await client.query('begin');
    const result = await act({ query: (text, values) => rowsOf(client, text, values) });
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => void (broken = true));
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
