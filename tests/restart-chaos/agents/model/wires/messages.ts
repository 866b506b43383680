/** The Messages wire (`POST /v1/messages`), as Claude Code speaks it. */
import type { Answer, Entry } from '../conversation.ts';
import { recordsOf, said, textOf } from '../conversation.ts';
import { inPieces, typedEvent, type AnswerFrame, type ErrorKind, type StreamEvent, type Wire } from './wire.ts';

// Nothing was computed, so nothing is charged: an agent that prices its tokens must come to nothing.
const usage = { input_tokens: 0, output_tokens: 0 };

const errorTypes: Readonly<Record<ErrorKind, string>> = {
  invalid: 'invalid_request_error',
  unauthorized: 'authentication_error',
  rate_limit: 'rate_limit_error',
  quota: 'rate_limit_error',
  server_error: 'api_error',
  overloaded: 'overloaded_error',
};

export const messagesWire: Wire = {
  id: 'messages',
  path: '/v1/messages',
  read: (body) => ({
    entries: recordsOf(body['messages']).flatMap(entriesOf),
    tools: recordsOf(body['tools']).map(({ name }) => String(name)),
  }),
  whole: (answer, frame) => ({ ...head(frame), content: [blockOf(answer)], ...stopOf(answer), usage }),
  stream,
  error: (kind, message) => ({ type: 'error', error: { type: errorTypes[kind], message } }),
};

function entriesOf({ role, content }: Readonly<Record<string, unknown>>): readonly Entry[] {
  if (role !== 'user' && role !== 'assistant') return [];
  if (typeof content === 'string') return said(role, content);
  return recordsOf(content).flatMap((block): readonly Entry[] => {
    if (block['type'] === 'text') return said(role, block['text']);
    if (block['type'] === 'tool_use') return [{ kind: 'call', id: String(block['id']) }];
    if (block['type'] !== 'tool_result') return [];
    return [{ kind: 'result', id: String(block['tool_use_id']), text: textOf(block['content']) }];
  });
}

function head({ digest, model }: AnswerFrame): object {
  return { id: `msg_${digest}`, type: 'message', role: 'assistant', model };
}

function blockOf(answer: Answer): object {
  if (answer.kind === 'text') return { type: 'text', text: answer.text };
  return { type: 'tool_use', id: answer.id, name: answer.tool, input: answer.input };
}

function stopOf(answer: Answer): object {
  return { stop_reason: answer.kind === 'call' ? 'tool_use' : 'end_turn', stop_sequence: null };
}

function stream(answer: Answer, frame: AnswerFrame): readonly StreamEvent[] {
  const message = { ...head(frame), content: [], stop_reason: null, stop_sequence: null, usage };
  const isCall = answer.kind === 'call';
  const empty = isCall ? { ...blockOf(answer), input: {} } : { type: 'text', text: '' };
  const pieces = inPieces(isCall ? JSON.stringify(answer.input) : answer.text);
  const delta = (piece: string): object =>
    isCall ? { type: 'input_json_delta', partial_json: piece } : { type: 'text_delta', text: piece };
  return [
    typedEvent('message_start', { message }),
    typedEvent('content_block_start', { index: 0, content_block: empty }),
    typedEvent('ping', {}),
    ...pieces.map((piece) => typedEvent('content_block_delta', { index: 0, delta: delta(piece) })),
    typedEvent('content_block_stop', { index: 0 }),
    typedEvent('message_delta', { delta: stopOf(answer), usage }),
    typedEvent('message_stop', {}),
  ];
}
