/** The steps of a provider's fault against the real scripted model, asked by a client over HTTP. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openModelClient } from '../../fixtures/agents/model-clients.ts';
import { startModelServer, type ModelServer } from '../agents/model/model-server.ts';
import { formatCard } from '../model/card.ts';
import type { TestHook } from '../model/options.ts';
import { awaitServed, awaitSpent, disturbProvider, mendProvider, type ProviderContext } from './disturb-provider.ts';

const brief = formatCard({
  id: 't01',
  workload: 'A1',
  adapter: 'claude',
  temperament: 'sturdy',
  pace: { steps: 1, stepMs: 10 },
  nonce: 'ab12cd34ef',
  faults: [],
  deadlineMs: 1,
});
const never = new AbortController().signal;

let models: ModelServer;

beforeEach(async () => {
  models = await startModelServer({ onRequest: () => undefined });
});
afterEach(() => models.close());

function context(...testHooks: readonly TestHook[]): ProviderContext {
  return { models, testHooks };
}

/** Whether the model answered well. */
async function ask(): Promise<boolean> {
  const client = openModelClient({ wire: 'messages', stream: true, url: models.url('t01'), tools: ['Bash'] });
  client.say(brief);
  return client.ask().then(
    () => true,
    () => false,
  );
}

test('a fault is proven by the request that it was served to, lasts as long as asked, and is over', async () => {
  const step = { step: 'disturb_provider', fault: 'rate_limit', skip: 1, requests: 2 } as const;
  expect(await disturbProvider(context(), 't01', step)).toEqual({
    observed: true,
    seen: 'rate_limit for the next 2 of t01 after 1 served well',
  });
  const served = awaitServed(context(), 't01', 10_000, never);
  expect([await ask(), await ask()]).toEqual([true, false]);
  expect(await served).toEqual({ observed: true, seen: 'rate_limit served to request 2 of t01' });
  const spent = awaitSpent(context(), 't01', { requests: 2, withinMs: 10_000, stop: never });
  expect(await ask()).toBe(false);
  expect(await spent).toEqual({ observed: true, seen: 'rate_limit served to 2 requests, 2 to 3, of t01' });
  expect(await mendProvider(context(), 't01')).toEqual({ observed: true, seen: 'rate_limit is over' });
  expect(await ask()).toBe(true);
});

test('an agent that asks no more is waited for as long as was said, and the provider is well again', async () => {
  await disturbProvider(context(), 't01', { step: 'disturb_provider', fault: 'server_error', skip: 0, requests: 3 });
  expect(await ask()).toBe(false);
  expect(await awaitSpent(context(), 't01', { requests: 3, withinMs: 50, stop: never })).toEqual({
    observed: true,
    seen: 'server_error served to request 1 of t01',
  });
  await mendProvider(context(), 't01');
  expect(await ask()).toBe(true);
});

test('a task that does not ask was served nothing: no proof', async () => {
  await disturbProvider(context(), 't01', { step: 'disturb_provider', fault: 'cut', skip: 0, requests: 1 });
  expect(await awaitServed(context(), 't01', 50, never)).toEqual({
    observed: false,
    seen: 't01 was served nothing wrongly',
  });
});

test('what the test hook withholds does not pass for a fault', async () => {
  const step = { step: 'disturb_provider', fault: 'cut', skip: 0, requests: 1 } as const;
  await disturbProvider(context('fault-does-not-land'), 't01', step);
  expect(await ask()).toBe(true);
  expect(await awaitServed(context('fault-does-not-land'), 't01', 50, never)).toMatchObject({ observed: false });
});

test('a wave that stops does not wait for a request', async () => {
  await disturbProvider(context(), 't01', { step: 'disturb_provider', fault: 'cut', skip: 0, requests: 1 });
  expect(await awaitServed(context(), 't01', 600_000, AbortSignal.abort())).toMatchObject({ observed: false });
});

test('nothing that was not begun is ended', async () => {
  expect(await mendProvider(context(), 't01')).toEqual({ observed: false, seen: 'there was no disturbance to end' });
});
