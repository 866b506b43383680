import { createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openReplaySession, type ReplaySession } from '../../fixtures/board/replay-plane-session.ts';
import { UsageError } from '../model/errors.ts';
import { createBoardClient, describeAnswer } from './client.ts';

const clock = { nowMs: () => performance.now() };
const sessions: ReplaySession[] = [];

async function session(requestTimeoutMs?: number): Promise<ReplaySession> {
  const opened = await openReplaySession(requestTimeoutMs);
  sessions.push(opened);
  return opened;
}

afterEach(async () => {
  for (const opened of sessions.splice(0)) await opened.close();
});

test('an answer with JSON is ok and carries status, body and both times', async () => {
  const { plane, client, clock: moved } = await session();
  plane.answer('GET /api/health', { status: 200, body: { status: 'ok' } });
  moved.move(5);
  const answer = await client.request('GET', '/api/health');
  expect(answer).toMatchObject({ outcome: 'ok', httpStatus: 200, json: { status: 'ok' }, detail: null });
  expect([answer.askedAtMs, answer.answeredAtMs]).toEqual([5, 5]);
});

test('a body is sent as JSON, and an error answer keeps its own body', async () => {
  const { plane, client } = await session();
  plane.answer('POST /api/companies', { status: 400, body: { error: 'Validation error' } });
  const answer = await client.request('POST', '/api/companies', { name: 'x' });
  expect(plane.received).toEqual([{ call: 'POST /api/companies', body: { name: 'x' } }]);
  expect(answer).toMatchObject({ outcome: 'http_error', httpStatus: 400, json: { error: 'Validation error' } });
  expect(describeAnswer(answer)).toBe('POST /api/companies answered 400: {"error":"Validation error"}');
});

test('HTML with status 200 is not_json', async () => {
  const { plane, client } = await session();
  plane.answer('GET /ready', { status: 200, text: '<!doctype html>' });
  expect(await client.request('GET', '/ready')).toMatchObject({ outcome: 'not_json', httpStatus: 200, json: null });
});

test('an empty 2xx is ok with null', async () => {
  const { plane, client } = await session();
  plane.answer('DELETE /api/x', { status: 200, text: '' });
  expect(await client.request('DELETE', '/api/x')).toMatchObject({ outcome: 'ok', json: null });
});

test('a server that never answers is a timeout at the limit', async () => {
  const { plane, client } = await session(150);
  plane.answer('GET /api/health', 'hang');
  const started = performance.now();
  expect(await client.request('GET', '/api/health')).toMatchObject({ outcome: 'timeout', httpStatus: null });
  expect(performance.now() - started).toBeLessThan(1_500);
});

test('a connection that breaks is a reset, and the next request works again', async () => {
  const { plane, client } = await session();
  plane.answer('GET /api/health', 'reset', { status: 200, body: {} });
  expect((await client.request('GET', '/api/health')).outcome).toBe('reset');
  expect((await client.request('GET', '/api/health')).outcome).toBe('ok');
});

test('a port where nobody listens is refused', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  const client = createBoardClient({ baseUrl: `http://127.0.0.1:${port}`, requestTimeoutMs: 500, clock });
  const answer = await client.request('GET', '/api/health');
  expect(answer).toMatchObject({ outcome: 'refused', httpStatus: null });
  expect(describeAnswer(answer)).toContain('GET /api/health got no answer');
  await client.close();
});

test('a server that accepts and says nothing is a timeout, also while the body is missing', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).resume();
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const client = createBoardClient({ baseUrl: `http://127.0.0.1:${port}`, requestTimeoutMs: 150, clock });
  expect((await client.request('GET', '/api/health')).outcome).toBe('timeout');
  await client.close();
  await new Promise((resolve) => server.close(resolve));
});

test.each([
  'http://example.org',
  'https://127.0.0.1:3100',
  'http://127.0.0.1.example.org:3100',
  'http://10.0.0.1',
  'nonsense',
])('the address %s is refused, because only planes on this machine may be spoken to', (baseUrl) => {
  expect(() => createBoardClient({ baseUrl, requestTimeoutMs: 100, clock })).toThrow(UsageError);
});

test('a path that looks like an address stays at the plane', async () => {
  const { plane, client } = await session();
  await client.request('GET', '//example.org/api/health');
  expect(plane.received.map(({ call }) => call)).toEqual(['GET //example.org/api/health']);
});
