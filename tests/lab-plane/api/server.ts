/**
 * The HTTP side. While the plane recovers it answers for its health and nothing else: whoever writes then is told to come
 * back, because an agent that is about to be adopted must not be taken for one that was given up.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Plane } from '../plane.ts';
import { readRunToken } from '../secrets.ts';
import type { Actor } from '../work/activity.ts';
import { companyRoutes } from './companies.ts';
import { commentRoutes } from './comments.ts';
import { documentRoutes } from './documents.ts';
import { healthRoutes } from './health.ts';
import { issueRoutes } from './issues.ts';
import { Refusal, type ApiAnswer, type ApiRequest, type Route } from './request.ts';
import { retryRoutes } from './retry.ts';
import { runRoutes } from './runs.ts';

const always = compiled(healthRoutes);
const whenReady = compiled([
  ...companyRoutes,
  ...issueRoutes,
  ...commentRoutes,
  ...documentRoutes,
  ...runRoutes,
  ...retryRoutes,
]);
// The largest thing anybody sends is a document.
const bodyBytesMax = 4 * 1024 * 1024;

/** Listens on exactly the port it was given; rejects when that is taken. */
export async function listen(plane: Plane): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    void answerTo(plane, incoming).then((answer) => send(outgoing, answer));
  });
  const { port, host } = plane.settings;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

/** Takes no new connection; resolves when the last request was answered, or after a while. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), 500).unref();
  await closed;
}

async function answerTo(plane: Plane, incoming: IncomingMessage): Promise<ApiAnswer> {
  try {
    const url = new URL(incoming.url ?? '/', 'http://plane');
    const found = findRoute(always, incoming.method, url.pathname);
    if (found === null && plane.phase !== 'ready') throw new Refusal(503, `the plane is ${plane.phase}`);
    const match = found ?? findRoute(whenReady, incoming.method, url.pathname);
    if (match === null) throw new Refusal(404, 'API route not found');
    const body = await readBody(incoming);
    const actor = actorOf(plane, incoming);
    return await match.route.act({ plane, params: match.params, query: url.searchParams, body, actor });
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: { error: error.message } };
    plane.log(`${incoming.method} ${incoming.url}: ${String(error)}`);
    return { status: 503, body: { error: 'the plane could not do this now', detail: String(error) } };
  }
}

/** Without a token a request is the board's: the plane listens on loopback only. */
function actorOf(plane: Plane, incoming: IncomingMessage): Actor {
  const header = incoming.headers.authorization;
  if (header === undefined) return { type: 'user', id: 'local-board', runId: null };
  const token = readRunToken(plane.settings.secret, header.replace(/^Bearer /i, ''));
  if (token === null) throw new Refusal(401, 'the token was not made by this plane');
  return { type: 'agent', id: token.agentId, runId: token.runId };
}

async function readBody(incoming: IncomingMessage): Promise<ApiRequest['body']> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of incoming as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > bodyBytesMax) throw new Refusal(413, `the body is larger than ${bodyBytesMax} bytes`);
    parts.push(part);
  }
  if (bytes === 0) return {};
  try {
    const body: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'));
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as ApiRequest['body'];
  } catch {
    // Told below, together with JSON that is no object.
  }
  throw new Refusal(400, 'the body is not a JSON object');
}

function send(outgoing: ServerResponse, { status, body }: ApiAnswer): void {
  outgoing.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  outgoing.end(JSON.stringify(body));
}

interface CompiledRoute {
  readonly route: Route;
  readonly pattern: RegExp;
}

function compiled(routes: readonly Route[]): readonly CompiledRoute[] {
  return routes.map((route) => ({
    route,
    pattern: new RegExp(`^${route.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  }));
}

function findRoute(
  routes: readonly CompiledRoute[],
  method: string | undefined,
  path: string,
): { readonly route: Route; readonly params: ApiRequest['params'] } | null {
  for (const { route, pattern } of routes) {
    const match = route.method === method ? pattern.exec(path) : null;
    if (match !== null) return { route, params: { ...match.groups } };
  }
  return null;
}
