/** What one provider's protocol is to the model server: how a request reads, and how an answer is written. */
import type { WireId } from '../../../model/event.ts';
import type { Answer, Conversation } from '../conversation.ts';

/** Why a request is refused. */
export type ErrorKind = 'invalid' | 'unauthorized' | 'rate_limit' | 'quota' | 'server_error' | 'overloaded';

/** One server-sent event. */
export interface StreamEvent {
  /** Null when this wire does not name its events. */
  readonly event: string | null;
  readonly data: string;
}

/** What an answer needs beside its words; derived from the request, so that equal requests get equal bytes. */
export interface AnswerFrame {
  /** Hexadecimal; makes the ids of an answer. */
  readonly digest: string;
  /** The model name that the client asked for. */
  readonly model: string;
}

export interface Wire {
  readonly id: WireId;
  /** Where clients post, after the base address they were given. */
  readonly path: string;
  /** Leaves out what it does not know: clients add to their requests with every release. */
  read(body: Readonly<Record<string, unknown>>): Conversation;
  /** The whole answer as JSON, for a client that does not stream. */
  whole(answer: Answer, frame: AnswerFrame): unknown;
  /** The same answer in pieces. */
  stream(answer: Answer, frame: AnswerFrame): readonly StreamEvent[];
  /** The body of a refusal, in the provider's own words. */
  error(kind: ErrorKind, message: string): unknown;
}

/** The refusal of the two wires that share one vendor. */
export function openAiError(kind: ErrorKind, message: string): unknown {
  const [type, code] = openAiErrors[kind];
  return { error: { message, type, param: null, code } };
}

const openAiErrors: Readonly<Record<ErrorKind, readonly [string, string | null]>> = {
  invalid: ['invalid_request_error', null],
  unauthorized: ['invalid_request_error', 'invalid_api_key'],
  rate_limit: ['requests', 'rate_limit_exceeded'],
  quota: ['insufficient_quota', 'insufficient_quota'],
  server_error: ['server_error', null],
  overloaded: ['server_error', 'server_is_overloaded'],
};

/** A text in two pieces, so that every client has to join them. */
export function inPieces(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== '');
}

/** An event whose data says its own type, as two of the three wires want it. */
export function typedEvent(type: string, rest: object): StreamEvent {
  return { event: type, data: JSON.stringify({ type, ...rest }) };
}
