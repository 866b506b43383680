import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { reservePort } from '../process/ports.ts';
import { probeConnection } from './probe-connection.ts';

let server: Server | null = null;

afterEach(() => {
  server?.close();
  server = null;
});

async function listen(onConnection: Parameters<typeof createServer>[1]): Promise<string> {
  const { port, release } = await reservePort({ low: 24_400, high: 24_800 });
  server = createServer(onConnection).listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.once('close', release);
  return `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`;
}

test('somebody who takes the connection and says nothing is told from nobody', async () => {
  const sockets: { destroy(): void }[] = [];
  const url = await listen((socket) => sockets.push(socket));
  expect(await probeConnection(url, 200)).toEqual({
    connected: true,
    answeredMs: null,
    instead: 'no answer within 200 ms',
  });
  for (const socket of sockets) socket.destroy();
});

test('a port at which nobody listens refuses', async () => {
  const { port, release } = await reservePort({ low: 24_400, high: 24_800 });
  const look = await probeConnection(`postgres://nobody@127.0.0.1:${port}/postgres`, 2_000);
  expect(look).toMatchObject({ connected: false, answeredMs: null, instead: expect.stringContaining('ECONNREFUSED') });
  release();
});

test('a connection that is cut is no answer', async () => {
  const url = await listen((socket) => socket.destroy());
  const look = await probeConnection(url, 2_000);
  expect(look).toMatchObject({
    connected: true,
    answeredMs: null,
    instead: expect.stringMatching(/terminated|reset/i),
  });
});
