/**
 * One plane per database. The lock belongs to a connection and goes with it, so a plane that was killed holds nothing,
 * and whoever has the lock knows that every claim of an earlier boot has lost its owner.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface PlaneLock {
  /** False from the moment its connection was lost until it is taken again. */
  isHeld(): boolean;
  release(): Promise<void>;
}

/** Any number, as long as every plane takes the same. */
const lockKey = 20_261_100;
const retryMs = 100;
// Postgres notices the end of a killed plane's connection at once; this is for a loaded machine.
const waitMs = 20_000;

/** Waits for an earlier plane to be gone. Throws an Error when it is still there after 20 s. */
export async function takePlaneLock(url: string): Promise<PlaneLock> {
  let holder: pg.Client | null = await acquire(url, Date.now() + waitMs);
  let released = false;
  const regain = async (): Promise<void> => {
    while (!released && holder === null) {
      holder = await acquire(url, Date.now()).catch(() => null);
      if (holder === null) await sleep(retryMs);
      else watch(holder);
    }
  };
  const watch = (client: pg.Client): void => {
    client.once('end', () => {
      holder = null;
      void regain();
    });
  };
  watch(holder);
  return {
    isHeld: () => holder !== null,
    release: async () => {
      released = true;
      await holder?.end().catch(() => undefined);
    },
  };
}

async function acquire(url: string, untilMs: number): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'lab-plane-lock', query_timeout: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (;;) {
      const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [lockKey]);
      if (rows[0]?.held === true) return client;
      if (Date.now() >= untilMs) throw new Error('another plane holds the lock of this database; end it first');
      await sleep(retryMs);
    }
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
