/** The Chat Completions wire (`POST /v1/chat/completions`), as OpenCode speaks it. */
import type { Answer, Entry } from '../conversation.ts';
import { isRecord, recordsOf, said, textOf } from '../conversation.ts';
import { inPieces, openAiError, type AnswerFrame, type StreamEvent, type Wire } from './wire.ts';

// Nothing was computed, so nothing is charged.
const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

export const chatWire: Wire = {
  id: 'chat',
  path: '/v1/chat/completions',
  read: (body) => ({
    entries: recordsOf(body['messages']).flatMap(entriesOf),
    tools: recordsOf(body['tools']).flatMap(({ function: tool }) => (isRecord(tool) ? [String(tool['name'])] : [])),
  }),
  whole: (answer, frame) => {
    const choice = { index: 0, message: messageOf(answer), finish_reason: finishOf(answer) };
    return { ...head(frame, 'chat.completion'), choices: [choice], usage };
  },
  stream,
  error: openAiError,
};

function entriesOf(message: Readonly<Record<string, unknown>>): readonly Entry[] {
  const { role, content } = message;
  if (role === 'user') return said('user', content);
  if (role === 'tool') return [{ kind: 'result', id: String(message['tool_call_id']), text: textOf(content) }];
  if (role !== 'assistant') return [];
  const calls = recordsOf(message['tool_calls']).map(({ id }): Entry => ({ kind: 'call', id: String(id) }));
  return [...said('assistant', content), ...calls];
}

// The moment of an answer says nothing, and a clock would make equal answers differ.
const created = 0;

function head({ digest, model }: AnswerFrame, object: string): object {
  return { id: `chatcmpl-${digest}`, object, created, model };
}

function messageOf(answer: Answer): object {
  if (answer.kind === 'text') return { role: 'assistant', content: answer.text };
  const call = { name: answer.tool, arguments: JSON.stringify(answer.input) };
  return { role: 'assistant', content: null, tool_calls: [{ id: answer.id, type: 'function', function: call }] };
}

function finishOf(answer: Answer): string {
  return answer.kind === 'call' ? 'tool_calls' : 'stop';
}

function stream(answer: Answer, frame: AnswerFrame): readonly StreamEvent[] {
  const chunk = (rest: object): StreamEvent => ({
    event: null,
    data: JSON.stringify({ ...head(frame, 'chat.completion.chunk'), ...rest }),
  });
  const delta = (part: object, finish: string | null = null): StreamEvent =>
    chunk({ choices: [{ index: 0, delta: part, finish_reason: finish }] });
  return [
    delta({ role: 'assistant' }),
    ...deltasOf(answer).map((part) => delta(part)),
    delta({}, finishOf(answer)),
    chunk({ choices: [], usage }),
    { event: null, data: '[DONE]' },
  ];
}

function deltasOf(answer: Answer): readonly object[] {
  if (answer.kind === 'text') return inPieces(answer.text).map((content) => ({ content }));
  const { id, tool } = answer;
  const begun = { index: 0, id, type: 'function', function: { name: tool, arguments: '' } };
  const pieces = inPieces(JSON.stringify(answer.input));
  return [
    { tool_calls: [begun] },
    ...pieces.map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
  ];
}
