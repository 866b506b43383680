/**
 * Serves an answer wrongly, the way a provider's failures look to an agent. Whoever is left without an end (no headers,
 * a stall) waits until it goes itself, the disturbance ends or the server closes.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderFaultKind } from '../../model/provider-fault.ts';
import type { ErrorKind, Wire } from './wires/wire.ts';

/** The right answer, as it would go out. */
export interface RightAnswer {
  readonly contentType: string;
  /** Written one after the other: the events of a stream, or the one body. */
  readonly pieces: readonly string[];
}

interface Refusal {
  readonly status: number;
  readonly error: ErrorKind;
  readonly message: string;
}

const refusals: Readonly<Partial<Record<ProviderFaultKind, Refusal>>> = {
  rate_limit: { status: 429, error: 'rate_limit', message: 'Rate limit reached. Please try again later.' },
  rate_limit_with_delay: { status: 429, error: 'rate_limit', message: 'Rate limit reached. Please try again later.' },
  quota: { status: 429, error: 'quota', message: 'You exceeded your current quota.' },
  unauthorized: { status: 401, error: 'unauthorized', message: 'The key is not valid.' },
  server_error: { status: 500, error: 'server_error', message: 'The server had an error.' },
  overloaded: { status: 529, error: 'overloaded', message: 'Overloaded.' },
};

// Long enough that a client which waits for it is told from one that tries at once.
const retryAfterSeconds = 3;
const slowPieceMs = 1_000;

/** Serves it. Resolves when everything that will be sent is sent. */
export async function serveFault(
  kind: ProviderFaultKind,
  response: ServerResponse,
  wire: Wire,
  right: RightAnswer,
): Promise<void> {
  const refusal = refusals[kind];
  if (refusal !== undefined) return refuse(response, wire, refusal, kind === 'rate_limit_with_delay');
  if (kind === 'no_headers') return;
  if (kind === 'garbage') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Welcome</body></html>\n');
    return;
  }
  response.writeHead(200, { 'content-type': right.contentType });
  if (kind === 'slow') return serveSlowly(response, right);
  const text = right.pieces.join('');
  const half = text.slice(0, Math.floor(text.length / 2));
  if (kind === 'malformed') {
    // A whole event that is no JSON; without a stream, a body that ends too early.
    response.end(right.pieces.length === 1 ? half : `${right.pieces[0]}data: {"type": \n\n`);
    return;
  }
  await new Promise<void>((resolve) => response.write(half, () => resolve()));
  if (kind === 'cut') response.destroy();
}

function refuse(response: ServerResponse, wire: Wire, refusal: Refusal, saysWhen: boolean): void {
  const when = saysWhen ? { 'retry-after': String(retryAfterSeconds) } : {};
  const body = JSON.stringify(wire.error(refusal.error, refusal.message));
  response.writeHead(refusal.status, { 'content-type': 'application/json', ...when }).end(body);
}

async function serveSlowly(response: ServerResponse, { pieces }: RightAnswer): Promise<void> {
  for (const piece of pieces) {
    await sleep(slowPieceMs);
    if (response.destroyed) return;
    response.write(piece);
  }
  response.end();
}
