/** What one provider's protocol is to the model server: how a request reads, and how an answer is written. */
import type { Answer, Conversation } from '../conversation.ts';

export type WireId = 'responses' | 'messages' | 'chat';

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
  /** The body of an answer with this status. `type` is the provider's word for it. */
  error(type: string, message: string): unknown;
}

/** A text in two pieces, so that every client has to join them. */
export function inPieces(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== '');
}

/** An event whose data says its own type, as two of the three wires want it. */
export function typedEvent(type: string, rest: object): StreamEvent {
  return { event: type, data: JSON.stringify({ type, ...rest }) };
}
