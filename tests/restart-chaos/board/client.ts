/**
 * One HTTP request to the plane as a board user, and what came of it. Nothing here throws for an HTTP or network
 * outcome: a plane that is being restarted refuses, resets and hangs all the time, and each of that is an observation.
 *
 * It deliberately does not retry: only the caller knows whether a request may be repeated.
 * Trap: with its database gone the plane keeps connections open and never answers, so the limit of a request is ours
 * and covers connecting, headers and body together.
 */
import { Agent } from 'undici';
import { errorText, UsageError } from '../model/errors.ts';
import type { Clock, PollOutcome } from '../model/event.ts';

export type BoardMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What came of one request. Times are on the wave's clock. */
export interface BoardAnswer {
  readonly method: BoardMethod;
  readonly path: string;
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
  /** `ok`: a 2xx with JSON, or with no body. `http_error`: an answer, but not a 2xx. */
  readonly outcome: PollOutcome;
  /** Null when no answer came. */
  readonly httpStatus: number | null;
  /** The parsed body, also of an error; null when there is none or it is not JSON. */
  readonly json: unknown;
  readonly text: string;
  /** What stood in the way, one line; null when nothing did. */
  readonly detail: string | null;
}

export interface BoardClient {
  readonly baseUrl: string;
  /** Sends one request. Never throws; a body is sent as JSON. */
  request(method: BoardMethod, path: string, body?: unknown): Promise<BoardAnswer>;
  /** Ends open connections. Requests in flight end as `reset`. */
  close(): Promise<void>;
}

export interface BoardClientOptions {
  readonly baseUrl: string;
  /** Hard limit of one request, milliseconds, from asking to the last byte. */
  readonly requestTimeoutMs: number;
  readonly clock: Clock;
}

// The largest real answer seen was 30 kB; a hundred runs of one task stay far below this.
const bodyBytesMax = 16 * 1024 * 1024;

/** Makes a client of one plane. Throws UsageError for anything but a loopback http address. */
export function createBoardClient(options: BoardClientOptions): BoardClient {
  const { clock, requestTimeoutMs } = options;
  const origin = loopbackOrigin(options.baseUrl);
  const agent = new Agent({
    connections: 32,
    keepAliveTimeout: 4_000,
    connect: { timeout: requestTimeoutMs },
    headersTimeout: requestTimeoutMs,
    bodyTimeout: requestTimeoutMs,
    maxResponseSize: bodyBytesMax,
  });
  const request = async (method: BoardMethod, path: string, body?: unknown): Promise<BoardAnswer> => {
    const askedAtMs = clock.nowMs();
    const received = await send(agent, { origin, path, method, body, requestTimeoutMs });
    return { method, path, askedAtMs, answeredAtMs: clock.nowMs(), ...received };
  };
  return { baseUrl: origin, request, close: () => agent.destroy() };
}

/** One line about an answer for messages and events: `GET /api/health answered 404: {"error":…`. */
export function describeAnswer(answer: BoardAnswer): string {
  const what = `${answer.method} ${answer.path}`;
  if (answer.httpStatus === null) return `${what} got no answer (${answer.detail ?? answer.outcome})`;
  return `${what} answered ${answer.httpStatus}: ${answer.text.slice(0, 300)}`;
}

type Received = Pick<BoardAnswer, 'outcome' | 'httpStatus' | 'json' | 'text' | 'detail'>;

interface Sending {
  readonly origin: string;
  readonly path: string;
  readonly method: BoardMethod;
  readonly body: unknown;
  readonly requestTimeoutMs: number;
}

async function send(agent: Agent, sending: Sending): Promise<Received> {
  const { origin, path, method, body, requestTimeoutMs } = sending;
  try {
    const response = await agent.request({
      origin,
      path,
      method,
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    return receivedFrom(response.statusCode, await response.body.text());
  } catch (error) {
    return { outcome: outcomeOf(error), httpStatus: null, json: null, text: '', detail: errorText(error) };
  }
}

function receivedFrom(httpStatus: number, text: string): Received {
  const json = parsed(text);
  if (httpStatus < 200 || httpStatus > 299) {
    return {
      outcome: 'http_error',
      httpStatus,
      json: json ?? null,
      text,
      detail: `HTTP ${httpStatus}: ${text.slice(0, 200)}`,
    };
  }
  if (json === undefined && text.length > 0) {
    return { outcome: 'not_json', httpStatus, json: null, text, detail: `not JSON: ${text.slice(0, 80)}` };
  }
  return { outcome: 'ok', httpStatus, json: json ?? null, text, detail: null };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function outcomeOf(error: unknown): PollOutcome {
  const name = error instanceof Error ? error.name : '';
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  if (code === 'ECONNREFUSED') return 'refused';
  if (name === 'TimeoutError' || /TIMEOUT|ETIMEDOUT/.test(code)) return 'timeout';
  return 'reset';
}

function loopbackOrigin(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const loopback = url !== null && /^(127(\.\d{1,3}){3}|localhost|\[::1\])$/.test(url.hostname);
  if (url === null || url.protocol !== 'http:' || !loopback) {
    throw new UsageError([
      `The board client talks to planes on this machine only: expected http://127.0.0.1:<port>, got "${baseUrl}".`,
    ]);
  }
  return url.origin;
}
