import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  clientsFromLsof,
  clientsOf,
  listenersOn,
  parseConnectionTable,
  parseSocketTable,
  pidsFromLsof,
  portsFromLsof,
  portsOf,
} from './listener.ts';

describe('listening sockets', () => {
  it('are seen of this process, from both sides, and are gone when closed', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await portsOf(process.pid)).toContain(port);
    expect(await listenersOn(port)).toEqual([process.pid]);
    server.close();
    await once(server, 'close');
    expect(await portsOf(process.pid)).not.toContain(port);
    expect(await listenersOn(port)).toEqual([]);
  });

  it('of a process that does not exist are none', async () => {
    expect(await portsOf(2 ** 22 + 1)).toEqual([]);
  });

  it('are the rows in state 0A of the kernel table', () => {
    const table = [
      '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
      '   0: 0100007F:55F7 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0000 100 0 0 10 0',
      '   1: 0100007F:55F7 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0000 20 4 30 10 -1',
    ].join('\n');
    expect(parseSocketTable(table)).toEqual([{ port: 22_007, inode: '4711' }]);
  });

  it('are read from lsof where there is no /proc', () => {
    expect(portsFromLsof('p4711\nf20\nn127.0.0.1:3101\nf21\nn[::1]:3100\nf22\nn*:3101\n')).toEqual([3100, 3101]);
    expect(pidsFromLsof('p4712\nf20\np4711\nf3\n')).toEqual([4711, 4712]);
  });
});

describe('connections', () => {
  it('are seen of who made them, and are gone when closed', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await clientsOf(port)).toEqual([]);
    const accepted = once(server, 'connection');
    const client = connect(port, '127.0.0.1');
    await Promise.all([once(client, 'connect'), accepted]);
    expect(await clientsOf(port)).toEqual([process.pid]);
    client.destroy();
    await once(client, 'close');
    server.close();
    expect(await clientsOf(port)).toEqual([]);
  });

  it('are the rows in state 01 whose other side is the port, not those of who accepted', () => {
    const table = [
      '   1: 0100007F:C350 0100007F:55F7 01 00000000:00000000 00:00000000 00000000     0        0 4711 1 0000 20 4 30 10 -1',
      '   2: 0100007F:55F7 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0000 20 4 30 10 -1',
      '   3: 0100007F:C351 0100007F:55F7 06 00000000:00000000 03:000013D2 00000000     0        0 0 3 0000',
    ].join('\n');
    expect(parseConnectionTable(table, 22_007)).toEqual(['4711']);
  });

  it('are read from lsof where there is no /proc', () => {
    const output = 'p4711\nf20\nn127.0.0.1:50000->127.0.0.1:22007\np4712\nf3\nn127.0.0.1:22007->127.0.0.1:50000\n';
    expect(clientsFromLsof(output, 22_007)).toEqual([4711]);
  });
});
