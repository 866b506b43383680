/** A tap in the test's own thread, before a server of the test's own making; so that a test can look inside. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { reservePort } from '../../process/ports.ts';
import { collectTold, testPorts, type Told } from './stage.testing.ts';
import { Tap } from './tap.ts';

export interface LocalTap {
  readonly tap: Tap;
  readonly told: Told;
  /** A client's socket, connected. Errors are swallowed: what came of them is for the test to look at. */
  dial(options?: { readonly allowHalfOpen?: boolean }): Promise<Socket>;
  close(): Promise<void>;
}

/** `serve` gets each connection that the tap makes. */
export async function startLocalTap(serve: (socket: Socket) => void): Promise<LocalTap> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    return socket.on('close', () => sockets.delete(socket));
  };
  const [own, database] = [await reservePort(testPorts), await reservePort(testPorts)];
  const server: Server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => serve(keep(socket)));
  await new Promise<void>((resolve) => server.listen(database.port, '127.0.0.1', resolve));
  const { told, watcher } = collectTold();
  const tap = new Tap({
    port: own.port,
    database: { port: database.port },
    housekeepingTables: [],
    nowMs: () => performance.now(),
    watcher,
  });
  await tap.listen();
  return {
    tap,
    told,
    dial: (options = {}) =>
      new Promise((resolve) => {
        const socket = keep(
          connect({ ...options, port: own.port, host: '127.0.0.1', noDelay: true }, () => resolve(socket)),
        );
      }),
    close: async () => {
      await tap.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      own.release();
      database.release();
    },
  };
}

/** Everything that a socket receives, also later. */
export function collect(socket: Socket): {
  readonly chunks: Buffer[];
  readonly bytes: () => Buffer;
  readonly length: () => number;
} {
  const chunks: Buffer[] = [];
  let length = 0;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
  });
  return { chunks, bytes: () => Buffer.concat(chunks), length: () => length };
}
