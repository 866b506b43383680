/** The Responses wire (`POST /v1/responses`), as Codex speaks it. */
import type { Answer, Entry } from '../conversation.ts';
import { isRecord, recordsOf, said, textOf } from '../conversation.ts';
import { inPieces, openAiError, typedEvent, type AnswerFrame, type StreamEvent, type Wire } from './wire.ts';

// Nothing was computed, so nothing is charged.
const usage = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
};

export const responsesWire: Wire = {
  id: 'responses',
  path: '/v1/responses',
  read: (body) => ({
    entries:
      typeof body['input'] === 'string' ? said('user', body['input']) : recordsOf(body['input']).flatMap(entriesOf),
    tools: recordsOf(body['tools']).flatMap(({ name }) => (typeof name === 'string' ? [name] : [])),
  }),
  whole: (answer, frame) => responseOf(frame, 'completed', [itemOf(answer, frame, 'completed')]),
  stream,
  error: openAiError,
};

function entriesOf(item: Readonly<Record<string, unknown>>): readonly Entry[] {
  const { type, role, content } = item;
  if (type === 'function_call') return [{ kind: 'call', id: String(item['call_id']) }];
  if (type === 'function_call_output') {
    const output = isRecord(item['output']) ? item['output']['content'] : item['output'];
    return [{ kind: 'result', id: String(item['call_id']), text: textOf(output) }];
  }
  // A message may leave its type out.
  return role === 'user' || role === 'assistant' ? said(role, content) : [];
}

function responseOf({ digest, model }: AnswerFrame, status: string, output: readonly object[]): object {
  // The moment of an answer says nothing, and a clock would make equal answers differ.
  return { id: `resp_${digest}`, object: 'response', created_at: 0, status, model, output, usage, error: null };
}

function partOf(text: string): object {
  return { type: 'output_text', text, annotations: [] };
}

/** The one item of an answer: whole when completed, without its words while it is only begun. */
function itemOf(answer: Answer, { digest }: AnswerFrame, status: 'in_progress' | 'completed'): object {
  const begun = status === 'in_progress';
  if (answer.kind === 'text') {
    const content = begun ? [] : [partOf(answer.text)];
    return { id: `msg_${digest}`, type: 'message', role: 'assistant', status, content };
  }
  const words = begun ? '' : JSON.stringify(answer.input);
  return { id: `fc_${digest}`, type: 'function_call', status, call_id: answer.id, name: answer.tool, arguments: words };
}

function stream(answer: Answer, frame: AnswerFrame): readonly StreamEvent[] {
  const whole = itemOf(answer, frame, 'completed');
  const events = [
    typedEvent('response.created', { response: responseOf(frame, 'in_progress', []) }),
    typedEvent('response.in_progress', { response: responseOf(frame, 'in_progress', []) }),
    typedEvent('response.output_item.added', { output_index: 0, item: itemOf(answer, frame, 'in_progress') }),
    ...(answer.kind === 'text' ? textEvents(answer.text, frame) : callEvents(JSON.stringify(answer.input), frame)),
    typedEvent('response.output_item.done', { output_index: 0, item: whole }),
    typedEvent('response.completed', { response: responseOf(frame, 'completed', [whole]) }),
  ];
  return events.map(({ event, data }, index) => ({
    event,
    data: JSON.stringify({ ...(JSON.parse(data) as object), sequence_number: index }),
  }));
}

function textEvents(text: string, { digest }: AnswerFrame): readonly StreamEvent[] {
  const place = { item_id: `msg_${digest}`, output_index: 0, content_index: 0 };
  return [
    typedEvent('response.content_part.added', { ...place, part: partOf('') }),
    ...inPieces(text).map((delta) => typedEvent('response.output_text.delta', { ...place, delta })),
    typedEvent('response.output_text.done', { ...place, text }),
    typedEvent('response.content_part.done', { ...place, part: partOf(text) }),
  ];
}

function callEvents(words: string, { digest }: AnswerFrame): readonly StreamEvent[] {
  const place = { item_id: `fc_${digest}`, output_index: 0 };
  return [
    ...inPieces(words).map((delta) => typedEvent('response.function_call_arguments.delta', { ...place, delta })),
    typedEvent('response.function_call_arguments.done', { ...place, arguments: words }),
  ];
}
