import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Defect } from '../defects.ts';
import type { Plane } from '../plane.ts';

/** Planes of this process whose scheduler runs. */
const scheduled = new WeakSet<Plane>();

/** The scheduler is a process of its own, and nobody ends it with its plane. */
export const defect: Defect = {
  name: 'scheduler-left',
  goesWrong: 'a scheduler outlives its plane and works on beside the next one',
  caughtBy: { rule: 'N7', code: 'second_plane' },
  trigger: 'K1 at any time',
  reportedIn: [],
  plant: ({ sweep }) => ({
    sweep: async (plane) => {
      if (!scheduled.has(plane)) startScheduler(plane);
      scheduled.add(plane);
      await sweep(plane);
    },
  }),
};

/** Connected to the database for as long as there is one. */
function startScheduler({ settings }: Plane): void {
  const pg = createRequire(import.meta.url).resolve('pg');
  const program = `const { Client } = require(${JSON.stringify(pg)});
    const client = new Client({ connectionString: process.env.DATABASE_URL });
    client.on('error', () => process.exit(1));
    client.connect();`;
  spawn(process.execPath, ['-e', program], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, DATABASE_URL: settings.databaseUrl },
  }).unref();
}
