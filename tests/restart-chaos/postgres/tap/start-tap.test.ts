import { setTimeout as wait } from 'node:timers/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { portRefuses, reservePort, type PortReservation } from '../../process/ports.ts';
import { withinTime } from '../../process/wait.ts';
import { collectTold, eventually, testPorts, type Told } from './stage.testing.ts';
import { startTap, type StartTapOptions, type TapHandle } from './start-tap.ts';
import { backendMessages as say, frontendMessages as send } from './wire.testing.ts';

let own: PortReservation;
let database: PortReservation;
let server: Server;
let tap: TapHandle;
let told: Told;
const sockets = new Set<Socket>();

/** A server that is ready at once and answers every byte with the same byte. */
beforeEach(async () => {
  [own, database] = [await reservePort(testPorts), await reservePort(testPorts)];
  server = createServer({ noDelay: true }, (socket) => {
    keep(socket);
    socket.write(Buffer.concat([say.authenticationOk, say.keyData(1, 2), say.ready('I')]));
    socket.on('data', (chunk) => socket.write(say.notice(`${chunk.length}`)));
  });
  await new Promise<void>((resolve) => server.listen(database.port, '127.0.0.1', resolve));
  tap = await start();
});

afterEach(async () => {
  await tap.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  expect(await portRefuses(own.port)).toBe(true);
  own.release();
  database.release();
});

function keep(socket: Socket): void {
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.on('close', () => sockets.delete(socket));
}

async function start(more: Partial<StartTapOptions> = {}): Promise<TapHandle> {
  const collected = collectTold();
  told = collected.told;
  return startTap({
    port: own.port,
    database: { port: database.port },
    housekeepingTables: [],
    clock: { nowMs: () => performance.now() },
    watcher: collected.watcher,
    onLost: (error) => void told.lost.push(error),
    ...more,
  });
}

/** A client that has heard that the server is ready. */
async function dial(): Promise<{
  readonly socket: Socket;
  readonly ask: () => Promise<number>;
  readonly ended: Promise<string>;
}> {
  const socket = connect({ port: own.port, host: '127.0.0.1', noDelay: true });
  let failure = 'ended';
  socket.on('error', ({ message }) => (failure = message));
  keep(socket);
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(failure)));
  const heard = (): Promise<number> => {
    const askedAtMs = performance.now();
    return new Promise((resolve) => socket.once('data', () => resolve(performance.now() - askedAtMs)));
  };
  const ready = heard();
  socket.write(send.startup('u', 'd'));
  await ready;
  // The notice that answers the startup packet may come in a chunk of its own.
  await wait(20);
  return {
    socket,
    ended,
    ask: () => {
      const answer = heard();
      socket.write(send.query('select 1'));
      return answer;
    },
  };
}

describe('a tap', () => {
  test('says that it is lost, once, when its thread dies, and every call fails from then on', async () => {
    const { ended } = await dial();
    // No command at all: the thread stumbles over it outside of what it guards.
    await expect((tap as unknown as { ask(command: null): Promise<unknown> }).ask(null)).rejects.toThrow();
    await eventually('the thread to die', () => told.lost.length > 0);
    await ended;
    await expect(tap.counts()).rejects.toThrow(/thread of the tap/);
    await tap.close();
    await tap.close();
    expect(told.lost).toHaveLength(1);
  });

  test('that cannot listen says at which port and why, and leaves no thread', async () => {
    await expect(start()).rejects.toThrow(new RegExp(`cannot listen at 127.0.0.1:${own.port}: .*EADDRINUSE`));
    expect(told.lost).toEqual([]);
  });

  test('refuses a pattern that cannot be read', async () => {
    const rule = { id: 'r', task: null, pattern: 'drop everything', occurrence: 1 };
    await expect(tap.ask({ do: 'arm', rule })).rejects.toThrow(/commit pattern/);
  });

  test('closes although clients are connected, and leaves no handle', async () => {
    const { ended } = await dial();
    const before = process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
    await tap.close();
    await ended;
    expect(process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length).toBeLessThan(before);
    expect(told.lost).toEqual([]);
  });

  test('cuts a client whose database cannot be reached', async () => {
    const { port, release } = await reservePort(testPorts);
    const orphan = await start({ port, database: { port: 1 } });
    const socket = connect({ port, host: '127.0.0.1' });
    keep(socket);
    await new Promise((resolve) => socket.once('close', resolve));
    await orphan.close();
    release();
  });
});

describe('a disturbance', () => {
  test('latency: every answer takes the delay twice, in order, until it ends', async () => {
    const { ask } = await dial();
    await tap.ask({ do: 'delay', delay: { fixedMs: 60, jitterMs: 20 } });
    expect(await ask()).toBeGreaterThanOrEqual(119);
    await tap.ask({ do: 'delay', delay: null });
    await ask();
    const quick = [await ask(), await ask(), await ask(), await ask(), await ask()];
    expect(Math.min(...quick)).toBeLessThan(60);
  });

  test('black hole: no byte and no end passes, the connections stay, and everything comes when it ends', async () => {
    const { ask, ended } = await dial();
    await tap.ask({ do: 'black_hole', on: true });
    const answer = ask();
    const late = dial();
    for (const socket of sockets) if (socket.localPort === database.port) socket.end();
    expect(await withinTime(Promise.race([answer, ended, late]), 300)).toBeNull();
    expect(await tap.counts()).toMatchObject({ connections: 2 });
    await tap.ask({ do: 'black_hole', on: false });
    await ended;
    await late;
  });

  test('reset: all connections are cut, new ones work', async () => {
    const first = await dial();
    const second = await dial();
    expect(await tap.ask({ do: 'reset' })).toBe(2);
    expect(await first.ended).toMatch(/ECONNRESET/);
    expect(await second.ended).toMatch(/ECONNRESET/);
    const third = await dial();
    await third.ask();
    expect(await tap.ask({ do: 'reset' })).toBe(1);
  });

  test('refuse: all connections are cut and the port refuses, until it listens again', async () => {
    const { ended } = await dial();
    expect(await tap.ask({ do: 'refuse' })).toBe(1);
    await ended;
    expect(await portRefuses(own.port)).toBe(true);
    expect(await tap.ask({ do: 'refuse' })).toBe(0);
    await tap.ask({ do: 'listen' });
    await (await dial()).ask();
  });

  test('latency does not let the memory grow: the sender has to wait', async () => {
    const { socket } = await dial();
    await tap.ask({ do: 'delay', delay: { fixedMs: 60_000, jitterMs: 0 } });
    const chunk = send.copyData(Buffer.alloc(1 << 20));
    let sent = 0;
    for (let index = 0; index < 64; index += 1) socket.write(chunk, () => (sent += 1));
    await eventually('some of it to be taken', () => sent > 0);
    await wait(300);
    expect(sent).toBeLessThan(40);
    await tap.ask({ do: 'reset' });
  });
});
