/** One run of pgbench, and the processor time that a process used meanwhile. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isolatedEnvironment } from '../../tests/restart-chaos/process/environment.ts';

export const workloads = ['select-only', 'tpcb-like'] as const;
export type PgbenchWorkload = (typeof workloads)[number];

export interface PgbenchRun {
  /** Transactions a second, without the time to connect. */
  readonly tps: number;
  /** Processor time of the proxy for one transaction; NaN without a proxy, and where the system does not tell. */
  readonly proxyMicroseconds: number;
}

/** Fills the tables of pgbench. Throws when pgbench fails. */
export function initialise(url: string, scale: number): void {
  pgbench(['-i', '-q', '-s', String(scale), url]);
}

/** Runs for some seconds in the extended protocol. Throws with what pgbench said when it fails. */
export function runPgbench(options: {
  readonly url: string;
  readonly pid: number | null;
  readonly workload: PgbenchWorkload;
  readonly clients: number;
  readonly seconds: number;
}): PgbenchRun {
  const { url, pid, workload, clients, seconds } = options;
  const before = cpuSeconds(pid);
  const output = pgbench([
    '-n',
    '-M',
    'extended',
    '-b',
    workload,
    '-c',
    `${clients}`,
    '-j',
    '2',
    '-T',
    `${seconds}`,
    url,
  ]);
  const tps = Number(/^tps = ([\d.]+) \(without/m.exec(output)?.[1]);
  const transactions = Number(/actually processed: (\d+)/.exec(output)?.[1]);
  return { tps, proxyMicroseconds: ((cpuSeconds(pid) - before) / transactions) * 1e6 };
}

function pgbench(argv: readonly string[]): string {
  const child = spawnSync('pgbench', argv, {
    encoding: 'utf8',
    env: isolatedEnvironment({ PATH: process.env['PATH'] ?? '' }),
  });
  if (child.status !== 0) throw new Error(`pgbench ${argv.join(' ')} failed: ${child.error?.message ?? child.stderr}`);
  return `${child.stdout}${child.stderr}`;
}

// Linux counts in hundredths of a second (USER_HZ).
const ticksPerSecond = 100;

function cpuSeconds(pid: number | null): number {
  if (pid === null || process.platform !== 'linux') return Number.NaN;
  // Behind the name, which may contain anything: user and system time are the 12th and 13th fields.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
