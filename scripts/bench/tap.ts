/**
 * What the tap costs: pgbench in the extended protocol, directly and through haproxy, pgbouncer and the tap, in turn.
 * Prints medians and ratios; judges nothing and gates no test.
 *
 *     npx tsx scripts/bench/tap.ts [--runs 5] [--seconds 10] [--clients 4] [--scale 10] [--cache results/cache]
 *         [--ways direct,haproxy,pgbouncer,pgbouncer-socket,bare-node,tap,tap-armed] [--workloads select-only,tpcb-like] [--profile <directory>]
 *
 * Needs pgbench, haproxy and pgbouncer: the Debian packages postgresql-contrib, haproxy and pgbouncer.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { watchSignals } from '../../tests/restart-chaos/cli/signals.ts';
import { preparePostgres } from '../../tests/restart-chaos/postgres/binaries.ts';
import { initCluster, startCluster } from '../../tests/restart-chaos/postgres/cluster.ts';
import { isolatedEnvironment } from '../../tests/restart-chaos/process/environment.ts';
import { reservePort } from '../../tests/restart-chaos/process/ports.ts';
import { createTeardown } from '../../tests/restart-chaos/wave/teardown.ts';
import { say } from '../run-command.ts';
import { busyShare, loadLines, loadNow, quietLoad, readCpuTimes } from './machine-use.ts';
import { initialise, runPgbench, workloads, type PgbenchRun, type PgbenchWorkload } from './pgbench-run.ts';
import { spreadOf, spreadText } from './statistics.ts';
import { isInstalled, startWay, wayNames, type Way } from './tap-ways.ts';

/** What is asked of the tap: at least this share of another way's transactions a second. */
const goals = [
  { workload: 'select-only', against: 'pgbouncer', ratio: 1.0 },
  { workload: 'tpcb-like', against: 'direct', ratio: 0.95 },
] as const;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '10' },
    clients: { type: 'string', default: '4' },
    scale: { type: 'string', default: '10' },
    cache: { type: 'string', default: 'results/cache' },
    ways: { type: 'string', default: 'direct,haproxy,pgbouncer,bare-node,tap' },
    workloads: { type: 'string', default: workloads.join(',') },
    profile: { type: 'string' },
  },
});

const chosen = workloads.filter((workload) => values.workloads.split(',').includes(workload));
const measured = new Map<string, PgbenchRun[]>();
const teardown = createTeardown(() => undefined);
let interrupted = false;
const signals = watchSignals(() => {
  interrupted = true;
});

for (const line of loadLines()) say(line);
const loadBefore = loadNow();
const cpuBefore = readCpuTimes();
try {
  if (isInstalled('pgbench')) await measure(await startAll());
  else say('pgbench is not installed (Debian package postgresql-contrib): nothing can be measured');
} finally {
  signals.stop();
  for (const failed of await teardown.unwind()) say(`not closed: ${failed}`);
}
report();

async function startAll(): Promise<readonly Way[]> {
  const directory = mkdtempSync(join(tmpdir(), 'restart-chaos-bench-'));
  chmodSync(directory, 0o711);
  teardown.push('remove the scratch directory', async () => (rmSync(directory, { recursive: true }), 'removed'));
  const binaries = await preparePostgres(resolve(values.cache));
  const dataDirectory = join(directory, 'data');
  await initCluster(binaries, dataDirectory);
  const { port, release } = await reservePort();
  const logFile = join(directory, 'postgres.log');
  const cluster = await startCluster({ binaries, dataDirectory, port, logFile, env: isolatedEnvironment({}) });
  teardown.push('stop Postgres', async () => (await cluster.stop(), release(), 'stopped'));
  const directUrl = cluster.url('postgres');
  initialise(directUrl, Number(values.scale));
  const ways: Way[] = [];
  const profileDirectory = values.profile === undefined ? null : resolve(values.profile);
  for (const name of wayNames.filter((each) => values.ways.split(',').includes(each))) {
    const way = await startWay(name, { directory, directUrl, address: cluster.address, profileDirectory });
    if ('missing' in way) {
      say(`left out: ${way.missing} is not installed`);
      continue;
    }
    teardown.push(`end ${name}`, async () => (await way.close(), 'ended'));
    ways.push(way);
  }
  return ways;
}

async function measure(ways: readonly Way[]): Promise<void> {
  const [clients, seconds] = [Number(values.clients), Number(values.seconds)];
  say(`${clients} clients, ${values.runs} runs of ${seconds} s each, interleaved; pgbench scale ${values.scale}`);
  for (let run = 1; run <= Number(values.runs) && !interrupted; run += 1) {
    for (const workload of chosen) {
      const line: string[] = [];
      for (const way of ways) {
        const result = runPgbench({ url: way.url, pid: way.pid, workload, clients, seconds });
        const key = `${workload} ${way.name}`;
        measured.set(key, [...(measured.get(key) ?? []), result]);
        line.push(`${way.name} ${result.tps.toFixed(0)}`);
        // pgbench blocks this process; a Ctrl-C is heard in between.
        await new Promise((resolveTurn) => setImmediate(resolveTurn));
      }
      say(`run ${run} ${workload.padEnd(12)} ${line.join('   ')}   load ${loadNow().toFixed(2)}`);
    }
  }
}

function report(): void {
  if (measured.size === 0) return;
  say('\nmedian (quartiles)          transactions a second        processor time of the proxy, µs a transaction');
  for (const [key, runs] of measured) {
    const tps = spreadText(spreadOf(runs.map((run) => run.tps)));
    const cost = spreadOf(runs.map((run) => run.proxyMicroseconds));
    say(`${key.padEnd(26)}  ${tps.padEnd(27)}  ${Number.isNaN(cost.median) ? '–' : spreadText(cost, 1)}`);
  }
  for (const workload of chosen) for (const line of ratioLines(workload)) say(line);
  say(
    `load average ${loadBefore.toFixed(2)} before; processors ${(100 * busyShare(cpuBefore, readCpuTimes())).toFixed(0)} % in use`,
  );
  if (loadBefore > quietLoad) say('no claim: the machine was busy when this began');
}

function ratioLines(workload: PgbenchWorkload): readonly string[] {
  const median = (name: string): number =>
    spreadOf((measured.get(`${workload} ${name}`) ?? []).map(({ tps }) => tps)).median;
  return wayNames.flatMap((name) => {
    const ratio = median('tap') / median(name);
    if (name === 'tap' || Number.isNaN(ratio)) return [];
    const goal = goals.find((each) => each.workload === workload && each.against === name);
    const verdict =
      goal === undefined ? '' : `, goal at least ${goal.ratio}: ${ratio >= goal.ratio ? 'met' : 'NOT met'}`;
    return [`${workload}: tap / ${name} ${ratio.toFixed(3)}${verdict}`];
  });
}
