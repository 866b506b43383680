/**
 * The least that a proxy in Node can do: every chunk is written to the other side, unread. What the tap costs beyond this is
 * its own; what this costs beyond pgbouncer is Node's. Ends on SIGTERM.
 *
 *     node scripts/bench/bare-forwarder.ts <port> <port or socket file of the database>
 */
import { connect, createServer } from 'node:net';

const [port = '', database = ''] = process.argv.slice(2);
const to = database.includes('/') ? { path: database } : { port: Number(database), host: '127.0.0.1' };
const server = createServer({ noDelay: true }, (client) => {
  const upstream = connect({ ...to, noDelay: true });
  for (const [source, sink] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    source.on('data', (chunk) => sink.write(chunk));
    source.on('close', () => sink.destroy());
    source.on('error', () => undefined);
  }
});
server.listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
