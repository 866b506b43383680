/**
 * The agent's calls to the plane, with the patience of its temperament. `attempt` repeats a whole read-then-write, not
 * one request: a write that was not answered may have happened, and the published plane ignores the client request id
 * of an agent (it honours a board user's only), so the agent looks before it writes again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '../../model/errors.ts';
import type { SendBeacon } from './beacon.ts';
import { AgentStop, agentExit } from './agent-stop.ts';
import { sendJson } from './json-request.ts';
import type { AgentSettings } from './settings.ts';

export interface PlaneAnswer {
  readonly status: number;
  /** The parsed body; null when it is empty or not JSON. */
  readonly json: unknown;
}

/** One request. Throws Unanswered when the plane was away, AgentStop when it refused for good. */
export type PlaneCall = (method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: object) => Promise<PlaneAnswer>;

export interface PlaneClient {
  /**
   * Does the work, again and again while the plane is away: once when fragile, for the outage limit when sturdy.
   * Throws AgentStop in the end.
   */
  attempt<T>(what: string, work: (call: PlaneCall) => Promise<T>): Promise<T>;
}

/** The plane did not answer, or answered that it cannot now. */
class Unanswered extends Error {}

// A loaded plane was seen to take over 10 s for an answer; slow is not away, and a fragile agent gives up on away.
const requestTimeoutMs = 30_000;
const backoffMsMin = 250;
const backoffMsMax = 3_000;

/** A client for this run. Says each outage once, when it begins. */
export function createPlaneClient(
  settings: AgentSettings,
  say: (text: string) => void,
  beacon: SendBeacon,
): PlaneClient {
  const call: PlaneCall = (method, path, body) => callOnce(settings, method, path, body);
  return {
    attempt: async (what, work) => {
      let firstFailureMs: number | null = null;
      for (let backoffMs = backoffMsMin; ; backoffMs = Math.min(backoffMs * 2, backoffMsMax)) {
        try {
          return await work(call);
        } catch (error) {
          if (!(error instanceof Unanswered)) throw error;
          const reason = `could not ${what}: ${errorText(error)}`;
          if (settings.temperament === 'fragile') throw new AgentStop(agentExit.planeAway, reason);
          if (firstFailureMs === null) {
            say(`${reason}; trying again`);
            await beacon('outage', what);
          }
          firstFailureMs ??= performance.now();
          if (performance.now() - firstFailureMs > settings.outageLimitMs) {
            throw new AgentStop(agentExit.planeAway, `${reason}; gave up after ${settings.outageLimitMs} ms`);
          }
          await sleep(backoffMs);
        }
      }
    },
  };
}

async function callOnce(
  settings: AgentSettings,
  method: string,
  path: string,
  body: object | undefined,
): Promise<PlaneAnswer> {
  const headers = { authorization: `Bearer ${settings.apiKey}`, 'x-paperclip-run-id': settings.runId };
  const url = `${settings.apiUrl}/api${path}`;
  const { status, text } = await sendJson({ method, url, headers, body, withinMs: requestTimeoutMs }).catch(
    (error: unknown) => {
      throw new Unanswered(`${method} ${path}: ${errorText(error)}`);
    },
  );
  if (status >= 500 || status === 408 || status === 429) throw new Unanswered(`${method} ${path} answered ${status}`);
  // 404 and 409 mean something to some callers; every other refusal ends the run.
  if (status >= 400 && status !== 404 && status !== 409) {
    throw new AgentStop(agentExit.refused, `${method} ${path} answered ${status}: ${text.slice(0, 300)}`);
  }
  return { status, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Refuses an answer that this step cannot go on without. */
export function expectSuccess(answer: PlaneAnswer, what: string): PlaneAnswer {
  if (answer.status < 400) return answer;
  throw new AgentStop(
    agentExit.refused,
    `the plane refused to ${what} with ${answer.status}: ${JSON.stringify(answer.json).slice(0, 300)}`,
  );
}
