/**
 * The scripted model: one loopback server that real agent command lines take for their provider, over three wires,
 * streaming or not. It keeps no conversation; all it remembers of a task is how often it was asked.
 *
 * Each task has its own base address with a token in it. Trap: an agent in a loop asks nine times a second for ever, so
 * the requests of a task are bounded; past the bound the answer is a 400, which no known client repeats.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { errorText } from '../../model/errors.ts';
import type { ModelRequest } from '../../model/event.ts';
import type { TaskId } from '../../model/ids.ts';
import {
  closeServer,
  createTaskTokens,
  listenOnLoopback,
  readJsonBody,
  type TaskTokens,
} from '../loopback-listener.ts';
import { isRecord, type Answer, type Conversation } from './conversation.ts';
import { leadsTask, nextAnswer } from './next-answer.ts';
import { RunningDisturbance, type ProviderDisturbance, type WantedDisturbance } from './running-disturbance.ts';
import type { RightAnswer } from './serve-fault.ts';
import { chatWire } from './wires/chat.ts';
import { messagesWire } from './wires/messages.ts';
import { responsesWire } from './wires/responses.ts';
import type { AnswerFrame, Wire } from './wires/wire.ts';

export interface ModelServer {
  /**
   * The base address of one task for the Messages wire; the other two want `/v1` after it. Its last path segment is
   * the token, and belongs among the secrets of a wave.
   */
  url(task: TaskId): string;
  /**
   * From now on requests that lead this task are served wrongly; questions beside the task are not counted. A new
   * disturbance of a task takes the place of the one before.
   */
  disturb(task: TaskId, wanted: WantedDisturbance): ProviderDisturbance;
  /** The last disturbance of a task; null when it had none. */
  disturbanceOf(task: TaskId): ProviderDisturbance | null;
  /** Ends open connections and frees the port. */
  close(): Promise<void>;
}

export interface ModelServerOptions {
  /** Called once for each request of a task, when its answer is known and before it is sent. */
  readonly onRequest: (task: TaskId, request: ModelRequest) => void;
  /** How often a task may ask. */
  readonly requestsMax?: number;
}

// A task of twenty steps that is run five times, each step tried three times, asks 345 times.
const requestsMaxByDefault = 500;
// A long conversation is a few hundred kilobytes.
const bodyBytesMax = 32 * 1024 * 1024;
// Enough to see what a step said.
const shownCharacters = 2_000;

const wires: readonly Wire[] = [responsesWire, messagesWire, chatWire];

/** Starts listening on 127.0.0.1. Throws HarnessError when it cannot. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const tokens = createTaskTokens();
  const asked = new Map<TaskId, number>();
  const disturbances = new Map<TaskId, RunningDisturbance>();
  const server = createServer((request, response) => {
    answerTo(request, response, { tokens, asked, disturbances, options }).catch((error: unknown) => {
      if (!response.headersSent) sendJson(response, 500, { error: { message: errorText(error) } });
      else response.destroy();
    });
  });
  const port = await listenOnLoopback(server);
  return {
    url: (task) => `http://127.0.0.1:${port}/${tokens.tokenOf(task)}`,
    disturb: (task, wanted) => {
      const disturbance = new RunningDisturbance(wanted);
      disturbances.set(task, disturbance);
      return disturbance;
    },
    disturbanceOf: (task) => disturbances.get(task) ?? null,
    close: () => closeServer(server),
  };
}

interface ServerState {
  readonly tokens: TaskTokens;
  readonly asked: Map<TaskId, number>;
  readonly disturbances: ReadonlyMap<TaskId, RunningDisturbance>;
  readonly options: ModelServerOptions;
}

async function answerTo(request: IncomingMessage, response: ServerResponse, state: ServerState): Promise<void> {
  const { token, path } = addressOf(request);
  const task = state.tokens.taskOf(token);
  const wire = wires.find((candidate) => candidate.path === path);
  // Clients also look whether somebody is there (HEAD /), and take a 404 for yes.
  if (task === null || wire === undefined || request.method !== 'POST') return sendJson(response, 404, notFound);
  const number = (state.asked.get(task) ?? 0) + 1;
  state.asked.set(task, number);
  const body = await readJsonBody(request, bodyBytesMax);
  const refusal = refusalOf(body, number, state.options.requestsMax ?? requestsMaxByDefault);
  if (refusal !== null || !body.ok || !isRecord(body.value)) {
    const message = refusal ?? 'the body is not a JSON object';
    state.options.onRequest(task, { wire: wire.id, number, ...refusedRequest(message) });
    return sendJson(response, 400, wire.error('invalid', message));
  }
  const conversation = wire.read(body.value);
  const answer = nextAnswer(conversation);
  const digest = digestOf(conversation);
  const stream = body.value['stream'] === true;
  const disturbance = leadsTask(conversation) ? (state.disturbances.get(task)?.next() ?? null) : null;
  state.options.onRequest(task, {
    wire: wire.id,
    number,
    stream,
    entries: conversation.entries.length,
    digest,
    lastResult: lastResultOf(conversation),
    status: 200,
    fault: disturbance?.fault ?? null,
    answer: describe(answer),
  });
  const frame = { digest, model: String(body.value['model'] ?? '') };
  const right = stream ? streamOf(wire, answer, frame) : wholeOf(wire.whole(answer, frame));
  if (disturbance !== null) return disturbance.serve(number, response, wire, right);
  response.writeHead(200, { 'content-type': right.contentType });
  for (const piece of right.pieces) response.write(piece);
  response.end();
}

const notFound = { error: { message: 'no such address' } };

function addressOf(request: IncomingMessage): { readonly token: string; readonly path: string } {
  const [, token = '', path = ''] = /^\/([^/?]*)([^?]*)/.exec(request.url ?? '') ?? [];
  return { token, path };
}

function refusalOf(body: Awaited<ReturnType<typeof readJsonBody>>, number: number, requestsMax: number): string | null {
  if (number > requestsMax) return `this task has asked ${requestsMax} times, which is more than any task needs`;
  return body.ok ? null : body.problem;
}

function refusedRequest(message: string): Omit<ModelRequest, 'wire' | 'number'> {
  return { stream: false, entries: 0, digest: null, lastResult: null, status: 400, fault: null, answer: message };
}

/** Equal for equal conversations, whatever else a request carries: clients put the time and their session into it. */
function digestOf(conversation: Conversation): string {
  return createHash('sha256').update(JSON.stringify(conversation)).digest('hex').slice(0, 24);
}

function lastResultOf({ entries }: Conversation): string | null {
  const last = entries.findLast(({ kind }) => kind === 'result');
  return last?.kind === 'result' ? last.text.slice(-shownCharacters) : null;
}

function describe(answer: Answer): string {
  return answer.kind === 'text' ? answer.text : `${answer.id}: ${answer.tool} ${JSON.stringify(answer.input)}`;
}

function sendJson(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
}

function wholeOf(json: unknown): RightAnswer {
  return { contentType: 'application/json', pieces: [JSON.stringify(json)] };
}

function streamOf(wire: Wire, answer: Answer, frame: AnswerFrame): RightAnswer {
  const pieces = wire
    .stream(answer, frame)
    .map(({ event, data }) => `${event === null ? '' : `event: ${event}\n`}data: ${data}\n\n`);
  return { contentType: 'text/event-stream', pieces };
}
