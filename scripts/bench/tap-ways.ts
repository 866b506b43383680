/**
 * The ways from pgbench to a Postgres that the tap bench compares: directly, and through proxies that it starts in a
 * directory of its own on ports of its own, and ends. A program that is not installed is left out and named.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseAddress } from '../../tests/restart-chaos/postgres/address.ts';
import { startChildGroup, type ChildGroup } from '../../tests/restart-chaos/process/child-group.ts';
import { isolatedEnvironment } from '../../tests/restart-chaos/process/environment.ts';
import { portRefuses, reservePort } from '../../tests/restart-chaos/process/ports.ts';
import { waitUntil, withinTime } from '../../tests/restart-chaos/process/wait.ts';
import { root } from '../run-command.ts';

export interface Way {
  readonly name: string;
  readonly url: string;
  /** Of the proxy; null for the direct way. */
  readonly pid: number | null;
  close(): Promise<void>;
}

export interface WayOptions {
  readonly directory: string;
  readonly directUrl: string;
  /** What the tap is given; haproxy and pgbouncer connect as most people set them up, to the port. */
  readonly address: DatabaseAddress;
  /** Where the tap leaves its processor profile; null for none. */
  readonly profileDirectory: string | null;
}

export const wayNames = [
  'direct',
  'haproxy',
  'pgbouncer',
  'pgbouncer-socket',
  'bare-node',
  'tap',
  'tap-armed',
] as const;
export type WayName = (typeof wayNames)[number];

/** The program that must be installed for a way; null for ours. */
const programs: Readonly<Record<WayName, 'haproxy' | 'pgbouncer' | null>> = {
  direct: null,
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  // As near to the database as the tap.
  'pgbouncer-socket': 'pgbouncer',
  'bare-node': null,
  tap: null,
  'tap-armed': null,
};

/** Resolves when the way can be used; with the name of a program when it is not installed. */
export async function startWay(name: WayName, options: WayOptions): Promise<Way | { readonly missing: string }> {
  const { directory, directUrl, address } = options;
  const program = programs[name];
  if (name === 'direct') return { name, url: directUrl, pid: null, close: async () => undefined };
  if (program !== null && !isInstalled(program)) return { missing: program };
  const { port, release } = await reservePort();
  const url = new URL(directUrl);
  const isNear = name === 'pgbouncer-socket' && 'socketFile' in address;
  const host = isNear ? dirname(address.socketFile) : '127.0.0.1';
  const target = { host, port: url.port, user: url.username, database: url.pathname.slice(1) };
  url.port = String(port);
  const file = join(directory, `${name}.conf`);
  if (program !== null) {
    const text = program === 'haproxy' ? haproxyFile(port, target) : pgbouncerFile(port, target);
    writeFileSync(file, text, { mode: 0o644 });
  }
  const child = await startChildGroup({
    argv: program === null ? ownArgv(name, port, options) : programArgv[program](file),
    env: isolatedEnvironment({}),
    cwd: root,
    logFile: join(directory, `${name}.log`),
    // pgbouncer refuses to run as root.
    ...(program === 'pgbouncer' && process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
  });
  const close = async (): Promise<void> => {
    await end(child);
    release();
  };
  try {
    await awaitPort(name, port, child);
  } catch (error) {
    await close();
    throw error;
  }
  return { name, url: url.href, pid: child.identity.pid, close };
}

interface Target {
  readonly host: string;
  readonly port: string;
  readonly user: string;
  readonly database: string;
}

function haproxyFile(port: number, target: Target): string {
  return [
    'defaults',
    '  mode tcp',
    '  timeout connect 5s',
    '  timeout client 1h',
    '  timeout server 1h',
    'listen postgres',
    `  bind 127.0.0.1:${port}`,
    `  server one 127.0.0.1:${target.port}`,
    '',
  ].join('\n');
}

function pgbouncerFile(port: number, { host, port: databasePort, user, database }: Target): string {
  return [
    '[databases]',
    `${database} = host=${host} port=${databasePort} dbname=${database} user=${user}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = session',
    'default_pool_size = 100',
    '',
  ].join('\n');
}

const programArgv = {
  haproxy: (file: string) => ['haproxy', '-db', '-f', file],
  pgbouncer: (file: string) => ['pgbouncer', '-q', file],
} as const;

function ownArgv(name: WayName, port: number, { address, profileDirectory }: WayOptions): readonly string[] {
  const profile = profileDirectory === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDirectory}`];
  const program = join(root, 'scripts', 'bench', name === 'bare-node' ? 'bare-forwarder.ts' : 'tap-process.ts');
  const pattern = name === 'tap-armed' ? ['update pgbench_accounts'] : [];
  const database = 'socketFile' in address ? address.socketFile : String(address.port);
  return [process.execPath, ...profile, program, String(port), database, ...pattern];
}

async function awaitPort(name: string, port: number, child: ChildGroup): Promise<void> {
  await waitUntil({
    what: `${name} to listen at 127.0.0.1:${port}`,
    probe: async () => {
      if (child.exit() !== null) return 'ended';
      return (await portRefuses(port)) ? null : 'listens';
    },
    timeoutMs: 10_000,
    intervalMs: 20,
  }).then((state) => {
    if (state === 'ended') throw new Error(`${name} ended at once; its log is beside its configuration`);
  });
}

async function end(child: ChildGroup): Promise<void> {
  child.signal('SIGTERM', 'group');
  if ((await withinTime(child.exited, 3_000)) !== null) return;
  child.signal('SIGKILL', 'group');
  await child.exited;
}

/** Whether a program can be started at all. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}
