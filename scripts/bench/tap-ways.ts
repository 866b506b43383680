/**
 * The ways from pgbench to a Postgres that the tap bench compares: directly, and through proxies that it starts in a
 * directory of its own on ports of its own, and ends. A program that is not installed is left out and named.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  /** Where the tap leaves its processor profile; null for none. */
  readonly profileDirectory: string | null;
}

export const wayNames = ['direct', 'haproxy', 'pgbouncer', 'tap', 'tap-armed'] as const;
export type WayName = (typeof wayNames)[number];

/** Resolves when the way can be used; with the name of a program when it is not installed. */
export async function startWay(name: WayName, options: WayOptions): Promise<Way | { readonly missing: string }> {
  const { directory, directUrl } = options;
  if (name === 'direct') return { name, url: directUrl, pid: null, close: async () => undefined };
  if (name !== 'tap' && name !== 'tap-armed' && !isInstalled(name)) return { missing: name };
  const { port, release } = await reservePort();
  const url = new URL(directUrl);
  const target = { port: url.port, user: url.username, database: url.pathname.slice(1) };
  url.port = String(port);
  const file = join(directory, `${name}.conf`);
  writeFileSync(file, name === 'haproxy' ? haproxyFile(port, target) : pgbouncerFile(port, target), { mode: 0o644 });
  const child = await startChildGroup({
    argv: argvOf(name, { port, file, databasePort: target.port, profileDirectory: options.profileDirectory }),
    env: isolatedEnvironment({}),
    cwd: root,
    logFile: join(directory, `${name}.log`),
    // pgbouncer refuses to run as root.
    ...(name === 'pgbouncer' && process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
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

function pgbouncerFile(port: number, { port: databasePort, user, database }: Target): string {
  return [
    '[databases]',
    `${database} = host=127.0.0.1 port=${databasePort} dbname=${database} user=${user}`,
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

function argvOf(
  name: WayName,
  options: {
    readonly port: number;
    readonly file: string;
    readonly databasePort: string;
    readonly profileDirectory: string | null;
  },
): readonly string[] {
  if (name === 'haproxy') return ['haproxy', '-db', '-f', options.file];
  if (name === 'pgbouncer') return ['pgbouncer', '-q', options.file];
  const profile = options.profileDirectory === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profileDirectory}`];
  const program = join(root, 'scripts', 'bench', 'tap-process.ts');
  const pattern = name === 'tap-armed' ? ['update pgbench_accounts'] : [];
  return [process.execPath, ...profile, program, String(options.port), options.databasePort, ...pattern];
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
