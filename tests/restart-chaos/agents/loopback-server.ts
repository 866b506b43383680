/**
 * A small JSON-over-HTTP server on the loopback interface for the agents of a wave to talk to the harness. Each task
 * has its own address, with a random token in it, so that no agent can speak for another task.
 *
 * It does not authenticate beyond the token and keeps nothing on disk. Trap: the port is an ephemeral one, which is
 * fine only because this server lives as long as the wave and never has to come back on the same port.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { errorText } from '../model/errors.ts';
import type { TaskId } from '../model/ids.ts';
import { closeServer, createTaskTokens, listenOnLoopback, readJsonBody } from './loopback-listener.ts';

export interface LoopbackAnswer {
  readonly status: number;
  readonly json: unknown;
}

export interface LoopbackServer {
  /**
   * The address of one task, without a trailing slash; the same for every call with the same task. Who has it speaks for
   * the task: its last path segment is the token, 32 hexadecimal digits, and belongs among the secrets of a wave.
   */
  url(task: TaskId): string;
  /** Ends open connections and frees the port. */
  close(): Promise<void>;
}

export interface LoopbackOptions {
  /** What answers a POST to `<url(task)>/<verb>`; the answer is sent when the promise settles. */
  readonly answer: (task: TaskId, verb: string, body: unknown) => LoopbackAnswer | Promise<LoopbackAnswer>;
}

// The largest message is a beacon with a worktree path in it: well under a kilobyte.
const bodyBytesMax = 64 * 1024;

/** Starts listening on 127.0.0.1. Throws HarnessError when it cannot. */
export async function startLoopbackServer(options: LoopbackOptions): Promise<LoopbackServer> {
  const tokens = createTaskTokens();
  const answerTo = async (request: IncomingMessage): Promise<LoopbackAnswer> => {
    const [, token = '', verb = ''] = (request.url ?? '').split('/');
    const task = tokens.taskOf(token);
    if (task === null) return { status: 404, json: { error: 'no such address' } };
    if (request.method !== 'POST') return { status: 405, json: { error: 'only POST is answered' } };
    const body = await readJsonBody(request, bodyBytesMax);
    return body.ok ? options.answer(task, verb, body.value) : { status: 400, json: { error: body.problem } };
  };
  const server = createServer((request, response) => {
    const send = ({ status, json }: LoopbackAnswer): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    };
    answerTo(request).then(send, (error: unknown) => send({ status: 500, json: { error: errorText(error) } }));
  });
  const port = await listenOnLoopback(server);
  return {
    url: (task) => `http://127.0.0.1:${port}/${tokens.tokenOf(task)}`,
    close: () => closeServer(server),
  };
}
