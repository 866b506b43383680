/**
 * Which process listens on which TCP port of this machine: `/proc` on Linux, `lsof` on macOS. Only processes of the
 * same user can be looked into; others are simply not named.
 *
 * Not for waiting: one look, now. Trap: Linux lists IPv6 sockets in a table of their own, and a server that listens
 * on `::` also takes IPv4 connections.
 */
import { readFile, readdir, readlink } from 'node:fs/promises';
import { execa } from 'execa';

/** TCP ports this process listens on, ascending. Empty when it is gone, listens on none or cannot be looked into. */
export async function portsOf(pid: number): Promise<readonly number[]> {
  if (process.platform !== 'linux') {
    return portsFromLsof(await lsof(['-a', '-p', String(pid), '-iTCP', '-sTCP:LISTEN', '-Fn']));
  }
  const [sockets, inodes] = await Promise.all([listeningSockets(), socketInodes(pid)]);
  return ascending(sockets.filter((socket) => inodes.has(socket.inode)).map((socket) => socket.port));
}

/** Processes that listen on this port, ascending. Empty also when its owner cannot be looked into. */
export async function listenersOn(port: number): Promise<readonly number[]> {
  if (process.platform !== 'linux') return pidsFromLsof(await lsof([`-iTCP:${port}`, '-sTCP:LISTEN', '-Fp']));
  const wanted = (await listeningSockets()).filter((socket) => socket.port === port).map((socket) => socket.inode);
  if (wanted.length === 0) return [];
  const found: number[] = [];
  for (const pid of await allPids()) {
    const inodes = await socketInodes(pid);
    if (wanted.some((inode) => inodes.has(inode))) found.push(pid);
  }
  return ascending(found);
}

/**
 * Processes that are connected to this port of this machine, ascending; those that accept there are not. Null when there
 * is a connection whose owner cannot be looked into, or went away meanwhile.
 */
export async function clientsOf(port: number): Promise<readonly number[] | null> {
  if (process.platform !== 'linux') {
    return clientsFromLsof(await lsof([`-iTCP:${port}`, '-sTCP:ESTABLISHED', '-Fpn']), port);
  }
  const wanted = (await socketTables()).flatMap((table) => parseConnectionTable(table, port));
  const open = new Set(wanted);
  const found: number[] = [];
  for (const pid of await allPids()) {
    if (open.size === 0) break;
    const held = [...(await socketInodes(pid))].filter((inode) => wanted.includes(inode));
    for (const inode of held) open.delete(inode);
    if (held.length > 0) found.push(pid);
  }
  return open.size === 0 ? ascending(found) : null;
}

interface ListeningSocket {
  readonly port: number;
  readonly inode: string;
}

async function allPids(): Promise<readonly number[]> {
  return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
}

async function listeningSockets(): Promise<readonly ListeningSocket[]> {
  return (await socketTables()).flatMap(parseSocketTable);
}

async function socketTables(): Promise<readonly string[]> {
  return Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')));
}

/** The sockets in state ESTABLISHED that were connected to this port, by inode. */
export function parseConnectionTable(table: string, port: number): readonly string[] {
  return table.split('\n').flatMap((line) => {
    const [, , remote, state, , , , , , inode] = line.trim().split(/\s+/);
    const to = remote?.split(':')[1];
    return state === '01' && to !== undefined && inode !== undefined && Number.parseInt(to, 16) === port ? [inode] : [];
  });
}

/** The sockets in state LISTEN of one of the kernel's tables. */
export function parseSocketTable(table: string): readonly ListeningSocket[] {
  return table.split('\n').flatMap((line) => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    const port = local?.split(':')[1];
    return state === '0A' && port !== undefined && inode !== undefined
      ? [{ port: Number.parseInt(port, 16), inode }]
      : [];
  });
}

async function socketInodes(pid: number): Promise<ReadonlySet<string>> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = await Promise.all(
    descriptors.map((descriptor) => readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '')),
  );
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
}

async function lsof(lsofArguments: readonly string[]): Promise<string> {
  // Exit 1 only says that nothing matched.
  const result = await execa('lsof', ['-nP', ...lsofArguments], { reject: false, timeout: 5_000 });
  return typeof result.stdout === 'string' ? result.stdout : '';
}

/** Ports in the output of `lsof -Fn`: lines such as `n127.0.0.1:3100` or `n*:3100`. */
export function portsFromLsof(output: string): readonly number[] {
  return ascending([...output.matchAll(/^n.*:(\d+)$/gm)].map((match) => Number(match[1])));
}

/** Processes in the output of `lsof -Fp`: lines such as `p4711`. */
export function pidsFromLsof(output: string): readonly number[] {
  return ascending([...output.matchAll(/^p(\d+)$/gm)].map((match) => Number(match[1])));
}

/** Processes in the output of `lsof -Fpn` that hold the calling side of a connection to this port. */
export function clientsFromLsof(output: string, port: number): readonly number[] {
  let pid = 0;
  return ascending(
    output.split('\n').flatMap((line) => {
      if (line.startsWith('p')) pid = Number(line.slice(1));
      return line.startsWith('n') && line.endsWith(`:${port}`) && line.includes('->') ? [pid] : [];
    }),
  );
}

function ascending(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
