/**
 * The reference plane: one process on one Postgres. Started with `node main.ts [--defect <name>]…`; its settings come from
 * the environment, and README.md beside this file says which promise is kept where.
 *
 * Boot: lock, schema, port (health only), the passes of work/recover.ts, then the rest of the API and the loops.
 */
import { randomUUID } from 'node:crypto';
import { closeServer, listen } from './api/server.ts';
import { openDatabase } from './database/database.ts';
import { takePlaneLock } from './database/one-plane.ts';
import { createSchema } from './database/schema.ts';
import { enterPhase, type Plane } from './plane.ts';
import { readSettings } from './settings.ts';
import { plantDefects, readDefects } from './defects.ts';
import { startLoops } from './work/loops.ts';
import { recover } from './work/recover.ts';
import { interruptAll } from './work/stop.ts';

const log = (line: string): void => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);

async function boot(): Promise<void> {
  const startedAt = new Date(Date.now() - performance.now());
  const settings = readSettings(process.env);
  const lock = await takePlaneLock(settings.databaseUrl);
  const plane: Plane = {
    settings,
    database: openDatabase(settings.databaseUrl),
    lock,
    steps: await plantDefects(readDefects(process.argv.slice(2))),
    startedAt,
    bootId: randomUUID(),
    watched: new Map(),
    starting: new Set(),
    phase: 'starting',
    phaseSince: new Date(),
    poke: () => undefined,
    log,
  };
  await createSchema(plane.database);
  enterPhase(plane, 'recovering');
  const server = await listen(plane);
  await recover(plane);
  enterPhase(plane, 'ready');
  const loops = startLoops(plane);
  process.once('SIGTERM', () => {
    enterPhase(plane, 'stopping');
    void (async () => {
      await loops.stop();
      await interruptAll(plane);
      await closeServer(server);
      await plane.database.close();
      await lock.release();
      process.exit(0);
    })().catch(giveUp);
  });
}

function giveUp(error: unknown): void {
  log(`the plane gives up: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  process.exit(1);
}

await boot().catch(giveUp);
