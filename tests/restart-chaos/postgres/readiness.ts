/**
 * Asks a starting server, over a real connection, whether it serves, and whether it is the one that was meant. Its log
 * is not read for that: it says "ready" in versions' own words, and another server on the port would not be noticed.
 * Trap: while it starts, recovers or stops, Postgres accepts connections and refuses them with 57P03.
 */
import pg from 'pg';
import { errorText } from '../model/errors.ts';

// One attempt; the server is on loopback, and a stopped process (SIGSTOP) must not hold the caller.
const attemptTimeoutMs = 2_000;

/** What one attempt found: the pid of the postmaster that answered, or why none did. */
export type ReadinessAnswer = { readonly postmasterPid: number } | { readonly notYet: string };

/** One attempt on the maintenance database at `url`. Never throws; lasts 2 s at most for each of its two steps. */
export async function askPostgres(url: string): Promise<ReadinessAnswer> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: attemptTimeoutMs,
    query_timeout: attemptTimeoutMs,
  });
  // The server may be killed at any moment of this; without a listener that would end the harness.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`,
    );
    return { postmasterPid: rows[0]?.pid ?? 0 };
  } catch (error) {
    const code = (error as { readonly code?: unknown }).code;
    return { notYet: code === undefined ? errorText(error) : `${errorText(error)} (${String(code)})` };
  } finally {
    // Not awaited: a server that was just killed or stopped would let it wait.
    void client.end().catch(() => undefined);
  }
}
