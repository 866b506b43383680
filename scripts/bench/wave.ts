/**
 * How many graded crossings an hour this machine yields, by concurrency, and what bounds it. Real waves through the
 * real command line; prints figures, judges nothing and gates no test.
 *
 *     npx tsx scripts/bench/wave.ts [--concurrency 2,4,8] [--tasks-per-slot 3] [--seed 1] [--workloads A1,B1,C1]
 *         [--adapters scripted,process] [--faults K1,K2] [--cache results/cache]
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { watchSignals } from '../../tests/restart-chaos/cli/signals.ts';
import { say } from '../run-command.ts';
import { loadLines, loadNow } from './machine-use.ts';
import { runWaveCommand, type WaveRun } from './run-wave-command.ts';
import { boundOf, percent } from './wave-figures.ts';

const { values } = parseArgs({
  options: {
    concurrency: { type: 'string', default: '2,4,8' },
    'tasks-per-slot': { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    workloads: { type: 'string', default: 'A1,B1,C1' },
    adapters: { type: 'string', default: 'scripted,process' },
    faults: { type: 'string', default: 'K1,K2' },
    cache: { type: 'string', default: 'results/cache' },
  },
});

const results = mkdtempSync(join(tmpdir(), 'restart-chaos-bench-'));
const stop = new AbortController();
const signals = watchSignals(() => stop.abort());
for (const line of loadLines()) say(line);
say(`${values.workloads} × ${values.adapters} × ${values.faults}, seed ${values.seed}; evidence in ${results}`);
for (const concurrency of values.concurrency.split(',').map(Number)) {
  if (!stop.signal.aborted) await measure(concurrency);
}
signals.stop();
say(`load average ${loadNow().toFixed(2)} after`);

async function measure(concurrency: number): Promise<void> {
  const { workloads, adapters, faults, seed, cache } = values;
  const named = {
    workloads,
    adapters,
    faults,
    seed,
    concurrency,
    tasks: concurrency * Number(values['tasks-per-slot']),
  };
  const flags = Object.entries({ ...named, cache: resolve(cache) }).flatMap(([name, value]) => [
    `--${name}`,
    `${value}`,
  ]);
  const run = await runWaveCommand({
    argv: flags,
    concurrency,
    resultsDirectory: join(results, `concurrency-${concurrency}`),
    signal: stop.signal,
  });
  for (const line of linesOf(concurrency, run)) say(line);
}

function linesOf(concurrency: number, run: WaveRun): readonly string[] {
  const minutes = (run.elapsedMs / 60_000).toFixed(1);
  const shares = run.shares.filter(({ share }) => share >= 0.01);
  return [
    '',
    `concurrency ${concurrency}: ${run.perHour.toFixed(1)} graded crossings an hour`,
    `  ${run.gradedCrossings} of ${run.tasks} tasks in ${minutes} min (exit ${run.exit}); ${run.notCrossed} not crossed, ${percent(run.unknownShare)} unknown or invalid`,
    `  processors ${percent(run.processorShare)} in use, median poll ${run.pollMs.toFixed(0)} ms`,
    `  time of a place: ${shares.map(({ what, share }) => `${what} ${percent(share)}`).join(', ')}`,
    `  bound by ${boundOf(run, run.processorShare)}`,
  ];
}
