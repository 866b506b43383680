import { afterEach, beforeEach, expect, test } from 'vitest';
import { openModelClient, wireNames, type ModelClient, type WireName } from '../../../fixtures/agents/model-clients.ts';
import { formatCard } from '../../model/card.ts';
import type { ModelRequest } from '../../model/event.ts';
import type { ProviderFaultKind } from '../../model/provider-fault.ts';
import { startModelServer, type ModelServer } from './model-server.ts';

const brief = formatCard({
  id: 't01',
  workload: 'A1',
  adapter: 'process',
  temperament: 'sturdy',
  pace: { steps: 1, stepMs: 10 },
  nonce: 'ab12cd34ef',
  faults: [],
  deadlineMs: 1,
});

let server: ModelServer;
let requests: ModelRequest[];

beforeEach(async () => {
  requests = [];
  server = await startModelServer({ onRequest: (_task, request) => void requests.push(request) });
});
afterEach(() => server.close());

function clientOf(wire: WireName, stream = true, task = 't01'): ModelClient {
  const client = openModelClient({ wire, stream, url: server.url(task), tools: ['Bash'] });
  client.say(brief);
  return client;
}

/** The request as a client sends it, with what came back in full. */
async function rawAnswer(stream: boolean): Promise<Response> {
  const body = { stream, messages: [{ role: 'user', content: brief }], tools: [{ name: 'Bash' }] };
  return fetch(`${server.url('t01')}/v1/messages`, { method: 'POST', body: JSON.stringify(body) });
}

const refusals: readonly (readonly [ProviderFaultKind, number, Readonly<Record<WireName, RegExp>>])[] = [
  ['rate_limit', 429, { responses: /rate_limit_exceeded/, messages: /rate_limit_error/, chat: /rate_limit_exceeded/ }],
  ['quota', 429, { responses: /insufficient_quota/, messages: /quota/, chat: /insufficient_quota/ }],
  ['unauthorized', 401, { responses: /invalid_api_key/, messages: /authentication_error/, chat: /invalid_api_key/ }],
  ['server_error', 500, { responses: /server_error/, messages: /api_error/, chat: /server_error/ }],
  ['overloaded', 529, { responses: /overloaded/, messages: /overloaded_error/, chat: /overloaded/ }],
];

test.each(refusals)(
  '%s: answers %i in the words of each wire, as often as asked, then well',
  async (kind, status, words) => {
    for (const wire of wireNames) {
      const disturbance = server.disturb('t01', { fault: kind, requests: 2 });
      const client = clientOf(wire);
      for (const times of [1, 2]) {
        await expect(client.ask()).rejects.toThrow(new RegExp(`answered ${status}: .*${words[wire].source}`));
        expect(disturbance.served()).toHaveLength(times);
      }
      expect((await client.ask()).call).not.toBeNull();
      expect(disturbance.served()).toHaveLength(2);
    }
  },
);

test('rate_limit_with_delay says when to try again, rate_limit does not', async () => {
  server.disturb('t01', { fault: 'rate_limit_with_delay', requests: 1 });
  expect((await rawAnswer(true)).headers.get('retry-after')).toBe('3');
  server.disturb('t01', { fault: 'rate_limit', requests: 1 });
  expect((await rawAnswer(true)).headers.get('retry-after')).toBeNull();
});

test.each([true, false])('cut, stream %s: the connection ends in the middle of the answer', async (stream) => {
  server.disturb('t01', { fault: 'cut', requests: 1 });
  const answer = await rawAnswer(stream);
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow(/terminated/);
});

test('malformed: a stream that begins well has an event that is no JSON', async () => {
  server.disturb('t01', { fault: 'malformed', requests: 1 });
  const events = [...(await (await rawAnswer(true)).text()).matchAll(/^data: (.*)$/gm)].map(([, data]) => data ?? '');
  expect(JSON.parse(events[0] ?? '')).toMatchObject({ type: 'message_start' });
  expect(() => JSON.parse(events[1] ?? '')).toThrow(SyntaxError);
});

test('malformed without a stream, and garbage: 200 with a body that is no JSON', async () => {
  for (const kind of ['malformed', 'garbage'] as const) {
    server.disturb('t01', { fault: kind, requests: 1 });
    const answer = await rawAnswer(false);
    expect(answer.status).toBe(200);
    await expect(answer.json()).rejects.toThrow(SyntaxError);
  }
});

test('no_headers: nothing comes; stall: the answer begins and nothing more comes', async () => {
  const within = (promise: Promise<unknown>): Promise<unknown> =>
    Promise.race([
      promise.then(
        () => 'ended',
        () => 'ended',
      ),
      new Promise((resolve) => setTimeout(resolve, 300, 'waits')),
    ]);
  server.disturb('t01', { fault: 'no_headers', requests: 1 });
  expect(await within(rawAnswer(true))).toBe('waits');
  server.disturb('t01', { fault: 'stall', requests: 1 });
  const answer = await rawAnswer(true);
  const reader = answer.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('message_start');
  expect(await within(reader?.read() ?? Promise.resolve())).toBe('waits');
});

test('slow: everything comes, but takes its time', async () => {
  server.disturb('t01', { fault: 'slow', requests: 1 });
  const startedAtMs = performance.now();
  expect((await clientOf('messages', false).ask()).call).not.toBeNull();
  expect(performance.now() - startedAtMs).toBeGreaterThan(950);
});

test('only requests that lead that task are disturbed, and each is written down', async () => {
  const disturbance = server.disturb('t01', { fault: 'server_error', requests: 1 });
  const title = openModelClient({ wire: 'chat', stream: true, url: server.url('t01'), tools: [] });
  title.say(`A title for: ${brief}`);
  await title.ask();
  await clientOf('chat', true, 't02').ask();
  expect(disturbance.served()).toHaveLength(0);
  await expect(clientOf('chat').ask()).rejects.toThrow(/answered 500/);
  expect(requests.map(({ fault }) => fault)).toEqual([null, null, 'server_error']);
});

test('a disturbance that is ended disturbs nobody any more', async () => {
  const disturbance = server.disturb('t01', { fault: 'server_error', requests: 1_000 });
  await expect(clientOf('chat').ask()).rejects.toThrow(/answered 500/);
  disturbance.end();
  expect((await clientOf('chat').ask()).call).not.toBeNull();
  expect(disturbance.served()).toHaveLength(1);
});

test('as many requests as asked are served well first, and the numbers of the others are kept', async () => {
  const disturbance = server.disturb('t01', { fault: 'server_error', requests: 1, skip: 1 });
  expect((await clientOf('chat').ask()).call).not.toBeNull();
  expect(disturbance.served()).toEqual([]);
  await expect(clientOf('chat').ask()).rejects.toThrow(/answered 500/);
  expect(disturbance.served()).toEqual([2]);
  expect(server.disturbanceOf('t01')).toBe(disturbance);
  expect(server.disturbanceOf('t02')).toBeNull();
});

test('who is left without an end is cut off when the disturbance ends, and nobody else', async () => {
  const disturbance = server.disturb('t01', { fault: 'no_headers', requests: 1 });
  const unanswered = rawAnswer(true);
  const cut = expect(unanswered).rejects.toThrow(/fetch failed/);
  await expect.poll(() => disturbance.served()).toEqual([1]);
  expect(disturbance.end()).toBe(1);
  await cut;
  expect(disturbance.end()).toBe(0);
});
