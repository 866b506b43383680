/** Tells the harness what the agent does, at the moment it does it. A harness that does not answer is not missed. */
import type { Beacon } from '../../model/event.ts';
import { identifyProcess } from '../../process/identity.ts';
import { sendJson } from './json-request.ts';
import type { AgentSettings } from './settings.ts';

/** Sends one beacon and waits for the answer, two seconds at most; never fails. */
export type SendBeacon = (moment: Beacon['moment'], detail: string, withinMs?: number) => Promise<void>;

// As agreed with the harness: it may hold an answer for up to this long to act on the exact moment.
const answerWithinMs = 2_000;

/** A sender for this process. Without an address it does nothing. */
export function openBeacon({ beaconUrl, runId }: Pick<AgentSettings, 'beaconUrl' | 'runId'>): SendBeacon {
  const identity = identifyProcess(process.pid);
  return async (moment, detail, withinMs = answerWithinMs) => {
    if (beaconUrl === null || identity === null) return;
    const beacon: Beacon = { moment, runId, process: identity, cwd: process.cwd(), detail };
    try {
      await sendJson({ method: 'POST', url: beaconUrl, headers: {}, body: beacon, withinMs });
    } catch {
      // Beacons serve the harness; the agent's work must not depend on them.
    }
  };
}
