/**
 * The few REST calls of Daytona's published API that the harness makes, with the parts of the answers that it reads. Nothing here is handed
 * around: `sandbox-list.ts` can only list, `key-check.ts` can only try a key.
 */
import { Agent } from 'undici';
import { z } from 'zod';
import { errorText, HarnessError } from '../model/errors.ts';

/** A sandbox as the API tells it; more keys are there and are not read. */
export const sandboxSchema = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  snapshot: z.string().nullish(),
  state: z.string().nullish(),
  labels: z.record(z.string(), z.string()).nullish(),
});
export type Sandbox = z.infer<typeof sandboxSchema>;

/** An organisation's API, and the key to it. */
export interface DaytonaAccess {
  /** Base address, without a slash at its end. */
  readonly apiUrl: string;
  readonly apiKey: string;
}

export interface DaytonaCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base address, with its query. */
  readonly path: string;
  readonly body?: unknown;
}

/** An answer of any status. */
export interface DaytonaAnswer {
  readonly status: number;
  /** Null when there is no JSON. */
  readonly json: unknown;
  readonly text: string;
}

// Creating a sandbox from a snapshot that is in place takes seconds; from a cold one, tens of them.
const timeoutMs = 90_000;
// A page of a hundred sandboxes has about 150 kB.
const bodyBytesMax = 16 * 1024 * 1024;

/** One call, never repeated. Rejects with HarnessError `daytona-failed` when no answer came: it may have had an effect all the same. */
export async function callDaytona({ apiUrl, apiKey }: DaytonaAccess, call: DaytonaCall): Promise<DaytonaAnswer> {
  const agent = new Agent({ connections: 1, pipelining: 0, maxResponseSize: bodyBytesMax });
  const url = new URL(`${apiUrl}${call.path}`);
  try {
    const response = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: call.method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${apiKey}`,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: call.body === undefined ? null : JSON.stringify(call.body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.body.text();
    return { status: response.statusCode, json: parsed(text), text };
  } catch (error) {
    throw new HarnessError(
      'daytona-failed',
      `${call.method} ${url.origin}${url.pathname} got no answer: ${errorText(error)}`,
      { cause: error },
    );
  } finally {
    await agent.destroy();
  }
}

/** One line about an answer, for messages. The key stands in none. */
export function describeDaytona(call: DaytonaCall, answer: DaytonaAnswer): string {
  return `${call.method} ${call.path} answered ${answer.status}: ${answer.text.slice(0, 300)}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
