/** What every server of the harness for agents shares: an address for each task, listening on loopback, bounded bodies. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorText, HarnessError } from '../model/errors.ts';
import type { TaskId } from '../model/ids.ts';

/** The random first path segment that stands for a task: 32 hexadecimal digits, the same for every call with a task. */
export interface TaskTokens {
  tokenOf(task: TaskId): string;
  taskOf(token: string): TaskId | null;
}

/** No task has a token before somebody asks for it. */
export function createTaskTokens(): TaskTokens {
  const tokens = new Map<TaskId, string>();
  const tasks = new Map<string, TaskId>();
  return {
    tokenOf: (task) => {
      const token = tokens.get(task) ?? randomBytes(16).toString('hex');
      tokens.set(task, token);
      tasks.set(token, task);
      return token;
    },
    taskOf: (token) => tasks.get(token) ?? null,
  };
}

/** Listens on an ephemeral port of 127.0.0.1 and returns it. Throws HarnessError when it cannot. */
export async function listenOnLoopback(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new HarnessError('internal', `cannot listen on 127.0.0.1 for the agents: ${cause.message}`, { cause }));
    });
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Ends open connections and frees the port. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

export type JsonBody =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** Reads a body of at most `bytesMax` bytes as JSON. */
export async function readJsonBody(request: IncomingMessage, bytesMax: number): Promise<JsonBody> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) return { ok: false, problem: `body is longer than ${bytesMax} bytes` };
    chunks.push(chunk);
  }
  try {
    return { ok: true, value: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch (error) {
    return { ok: false, problem: `body is not JSON: ${errorText(error)}` };
  }
}
