/**
 * Where agents say what they are doing, at the moment they do it. An agent waits for the answer (two seconds at
 * most), so whoever takes the beacon can act on that exact moment before the agent goes on.
 *
 * It believes no identity it is told: the start time of the claimed process is read here. Trap: a beacon of a
 * process that is gone before it is read is refused, because nothing proves any more who sent it.
 */
import { z } from 'zod';
import { beaconMoments, type Beacon } from '../model/event.ts';
import type { TaskId } from '../model/ids.ts';
import { identifyProcess } from '../process/identity.ts';
import { startLoopbackServer, type LoopbackAnswer, type LoopbackServer } from './loopback-server.ts';

const beaconSchema = z.strictObject({
  moment: z.enum(beaconMoments),
  runId: z.string().max(100).nullable(),
  process: z.strictObject({ pid: z.int().positive(), startTime: z.string().min(1).max(100) }),
  cwd: z.string().max(4096),
  detail: z.string().max(2000),
});

export type BeaconServer = LoopbackServer;

export interface BeaconServerOptions {
  /** Called for each beacon of a process that is what it says, before the agent gets its answer. */
  readonly onBeacon: (task: TaskId, beacon: Beacon) => void | Promise<void>;
}

/** Starts the server; `url(task)` goes into the agent's environment as CHAOS_BEACON_URL. */
export async function startBeaconServer(options: BeaconServerOptions): Promise<BeaconServer> {
  return startLoopbackServer({
    answer: async (task, _verb, body) => {
      const parsed = beaconSchema.safeParse(body);
      if (!parsed.success) return refusal(400, `not a beacon: ${z.prettifyError(parsed.error)}`);
      const beacon: Beacon = parsed.data;
      const seen = identifyProcess(beacon.process.pid);
      if (seen === null) return refusal(409, `no process ${beacon.process.pid} is alive`);
      if (seen.startTime !== beacon.process.startTime) {
        return refusal(409, `process ${seen.pid} started at ${seen.startTime}, not at ${beacon.process.startTime}`);
      }
      await options.onBeacon(task, beacon);
      return { status: 200, json: { ok: true } };
    },
  });
}

function refusal(status: number, error: string): LoopbackAnswer {
  return { status, json: { error } };
}
