import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openModelClient, postModel, wireNames, type ModelClient } from '../../../fixtures/agents/model-clients.ts';
import { formatCard } from '../../model/card.ts';
import type { ModelRequest } from '../../model/event.ts';
import type { TaskPlan } from '../../model/plan.ts';
import { startModelServer, type ModelServer } from './model-server.ts';
import { stepMark } from './task-steps.ts';

const nonce = 'ab12cd34ef';
const plan: TaskPlan = {
  id: 't01',
  workload: 'A1',
  adapter: 'process',
  temperament: 'sturdy',
  pace: { steps: 2, stepMs: 10 },
  nonce,
  faults: [],
  deadlineMs: 1,
};
const brief = `Write a brief.\n\n${formatCard(plan)}`;
const shellOf = { responses: 'exec_command', messages: 'Bash', chat: 'bash' } as const;
const steps = ['begin', 'work-1', 'work-2', 'result', 'done'];

let server: ModelServer;
let requests: ModelRequest[] = [];

beforeAll(async () => {
  server = await startModelServer({
    onRequest: (_task, request) => void requests.push(request),
    requestsMax: 100_000,
  });
});
afterAll(() => server.close());
beforeEach(() => void (requests = []));

/** Does every call well until the model has its last word; returns the steps and that word. */
async function goThrough(client: ModelClient): Promise<readonly string[]> {
  const seen: string[] = [];
  for (;;) {
    const { call, text } = await client.ask();
    if (call === null) return [...seen, text];
    const command = String(call.input['command'] ?? call.input['cmd']);
    const step = /^"\$CHAOS_STEP" (\S+)$/.exec(command)?.[1] ?? `no step: ${command}`;
    seen.push(step);
    client.returnResult(call.id, `said on the way\n${stepMark(step, nonce)}\n`);
  }
}

const forms = wireNames.flatMap((wire) => [
  { wire, stream: true },
  { wire, stream: false },
]);

test.each(forms)('$wire, stream $stream: a task goes from begin to done', async ({ wire, stream }) => {
  const client = openModelClient({ wire, stream, url: server.url('t01'), tools: ['Read', shellOf[wire]] });
  client.say(brief);
  expect(await goThrough(client)).toEqual([...steps, 'Task t01 is done.']);
  expect(requests).toHaveLength(6);
  expect(requests[1]).toMatchObject({ wire, stream, status: 200, entries: 3 });
  expect(requests[1]?.lastResult).toContain('OK-begin-');
});

test.each(forms)('$wire, stream $stream: a later word of the user begins every step again', async (form) => {
  const client = openModelClient({ ...form, url: server.url('t01'), tools: [shellOf[form.wire]] });
  client.say(brief);
  await goThrough(client);
  client.say('A comment came.');
  expect(await goThrough(client)).toEqual([...steps, 'Task t01 is done.']);
  const calls = requests.filter(({ answer }) => answer.startsWith('call_')).map(({ answer }) => answer.split(':')[0]);
  expect(new Set(calls).size).toBe(calls.length);
});

test.each(forms)('$wire, stream $stream: without a tool it is a question beside the task', async ({ wire, stream }) => {
  const client = openModelClient({ wire, stream, url: server.url('t01'), tools: [] });
  client.say(`Generate a title for: "${brief}"`);
  expect(await client.ask()).toMatchObject({ call: null, text: 'A task of restart-chaos.' });
});

test('responses: a command that still runs is waited for, and its step goes on', async () => {
  const client = openModelClient({ wire: 'responses', stream: true, url: server.url('t01'), tools: ['exec_command'] });
  client.say(brief);
  const begin = await client.ask();
  client.returnResult(begin.call?.id ?? '', 'Process running with session ID 7');
  const wait = await client.ask();
  expect(wait.call).toMatchObject({ tool: 'write_stdin', input: { session_id: 7, chars: '' } });
  client.returnResult(wait.call?.id ?? '', stepMark('begin', nonce));
  expect((await client.ask()).call?.input).toMatchObject({ cmd: '"$CHAOS_STEP" work-1' });
});

const word = fc.constantFrom(
  brief,
  'Continue from where you left off.',
  'No response requested.',
  ...steps.map((step) => stepMark(step, nonce)),
  'step failed',
  'Process running with session ID 3',
);
const happening = fc.record({ who: fc.constantFrom('user', 'result'), text: word });

test.each(forms)('$wire, stream $stream: the same conversation is answered with the same bytes', async (form) => {
  const tools = [shellOf[form.wire]];
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 8 }), async (happenings) => {
      const open = (task: string): ModelClient => openModelClient({ ...form, url: server.url(task), tools });
      const [first, second] = [open('t01'), open('t02')];
      for (const client of [first, second]) client.say(brief);
      for (const { who, text } of happenings) {
        const [once, again] = [await first.ask(), await second.ask()];
        expect(again.raw).toBe(once.raw);
        for (const client of [first, second]) {
          if (who === 'result' && once.call !== null) client.returnResult(once.call.id, text);
          else client.say(text);
        }
      }
      expect((await second.ask()).raw).toBe((await first.ask()).raw);
    }),
    { numRuns: 20 },
  );
});

test('the requests of a task are bounded, and those of another task are not touched by it', async () => {
  const bounded = await startModelServer({
    onRequest: (_task, request) => void requests.push(request),
    requestsMax: 2,
  });
  try {
    const ask = (task: string): Promise<string> =>
      postModel(`${bounded.url(task)}/v1/messages`, { messages: [{ role: 'user', content: 'hello' }] });
    await ask('t01');
    await ask('t01');
    await expect(ask('t01')).rejects.toThrow(/answered 400: .*invalid_request_error.*asked 2 times/);
    await expect(ask('t02')).resolves.toContain('restart-chaos');
    expect(requests.map(({ status }) => status)).toEqual([200, 200, 400, 200]);
  } finally {
    await bounded.close();
  }
});

test('what is no request of a task is refused: another token, another path, a look, a body that is no JSON', async () => {
  const url = server.url('t01');
  const statusOf = async (address: string, init: RequestInit): Promise<number> => (await fetch(address, init)).status;
  expect(await statusOf(`${new URL(url).origin}/0000/v1/messages`, { method: 'POST', body: '{}' })).toBe(404);
  expect(await statusOf(`${url}/v1/embeddings`, { method: 'POST', body: '{}' })).toBe(404);
  expect(await statusOf(url, { method: 'HEAD' })).toBe(404);
  expect(requests).toEqual([]);
  expect(await statusOf(`${url}/v1/responses`, { method: 'POST', body: 'hello' })).toBe(400);
  expect(requests).toMatchObject([{ status: 400, wire: 'responses' }]);
});
