/**
 * What the harness adds to a restart: its K1 from kill to ready, against a bare kill-and-start loop on the same plane
 * and database, one after the other in turn. Prints a ratio; judges nothing and gates no test.
 *
 *     npx tsx scripts/bench/restart.ts [--pairs 10] [--cache results/cache] [--target paperclip@…] [--settle-ms 1000]
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultTarget } from '../../tests/restart-chaos/model/target.ts';
import { watchSignals } from '../../tests/restart-chaos/cli/signals.ts';
import { say } from '../run-command.ts';
import { measureBareRestart } from './bare-restart.ts';
import { withBenchPlane, type BenchPlane } from './bench-plane.ts';
import { measureHarnessRestart } from './harness-restart.ts';
import { loadLines, loadNow, quietLoad } from './machine-use.ts';
import { restOf, type RestartTimes } from './restart-times.ts';
import { spreadOf, spreadText } from './statistics.ts';

// Kill to ready within 5 % of a bare loop (doc/benches.md).
const goal = 1.05;

interface Pair {
  readonly harness: RestartTimes;
  readonly bare: RestartTimes;
}

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '10' },
    cache: { type: 'string', default: 'results/cache' },
    target: { type: 'string', default: defaultTarget },
    // What the plane still does after it says ready (its first sweep) must not fall into one of the two only.
    'settle-ms': { type: 'string', default: '1000' },
  },
});

for (const line of loadLines()) say(line);
const loadBefore = loadNow();
const pairs: Pair[] = [];
let interrupted = false;
const signals = watchSignals(() => {
  interrupted = true;
});
try {
  await withBenchPlane({ target: values.target, cacheDirectory: resolve(values.cache), progress: say }, measurePairs);
} finally {
  signals.stop();
}
report();

async function measurePairs(plane: BenchPlane): Promise<void> {
  const settleMs = Number(values['settle-ms']);
  say(`${values.target}, ${plane.installed.directory}`);
  say('pair   harness ms (exit boot rest cpu)        bare ms (exit boot rest cpu)           ratio   load');
  for (let ordinal = 1; ordinal <= Number(values.pairs) && !interrupted; ordinal += 1) {
    const harness = await measureHarnessRestart(plane, { ordinal, settleMs });
    const bare = await measureBareRestart(plane, settleMs);
    pairs.push({ harness, bare });
    const ratio = (harness.totalMs / bare.totalMs).toFixed(3);
    say(
      `${String(ordinal).padStart(4)}   ${timesText(harness)}   ${timesText(bare)}   ${ratio}   ${loadNow().toFixed(2)}`,
    );
  }
}

function timesText(times: RestartTimes): string {
  const parts = [times.exitMs, times.bootMs, restOf(times), times.cpuMs].map((ms) => ms.toFixed(0).padStart(6));
  return `${times.totalMs.toFixed(0).padStart(7)} (${parts.join(' ')})`;
}

function report(): void {
  if (pairs.length === 0) return say('nothing was measured');
  const line = (name: string, read: (times: RestartTimes) => number): void => {
    const [harness, bare] = (['harness', 'bare'] as const).map((side) =>
      spreadText(spreadOf(pairs.map((pair) => read(pair[side])))),
    );
    say(`${name.padEnd(34)} ${(harness ?? '').padEnd(26)} ${bare}`);
  };
  say(`\nmedian (quartiles) of ${pairs.length}, ms       harness                    bare`);
  line('kill to ready', ({ totalMs }) => totalMs);
  line('  kill to exit', ({ exitMs }) => exitMs);
  line("  the plane's own boot", ({ bootMs }) => bootMs);
  line('  starting it, noticing ready', restOf);
  line('processor time of the measurer', ({ cpuMs }) => cpuMs);
  const ratio =
    spreadOf(pairs.map(({ harness }) => harness.totalMs)).median /
    spreadOf(pairs.map(({ bare }) => bare.totalMs)).median;
  const perPair = spreadOf(pairs.map(({ harness, bare }) => harness.totalMs / bare.totalMs));
  say(`ratio of medians ${ratio.toFixed(3)}; ratios of pairs ${spreadText(perPair, 3)}; goal at most ${goal}`);
  say(`load average ${loadBefore.toFixed(2)} before, ${loadNow().toFixed(2)} after`);
  if (loadBefore > quietLoad) say('no claim: the machine was busy when this began');
  else say(ratio <= goal ? 'the goal is met' : 'the goal is NOT met');
}
