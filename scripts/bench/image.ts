/**
 * What it takes to get the two paths out of an image: ours, against `umoci unpack`, and against GNU tar over all layers.
 * Prints times, bytes written and peak memory, and ratios; judges nothing and gates no test. Blobs are already on the disk for
 * all three, so that no network is measured.
 *
 *     npx tsx scripts/bench/image.ts [--layers 42] [--unpacked-mb 3000] [--pairs 3]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import seedrandom from 'seedrandom';
import { removeTree } from '../../tests/restart-chaos/daytona/image-cache.ts';
import { packPath } from '../../tests/restart-chaos/daytona/wanted-paths.ts';
import { writeLayout } from '../../tests/fixtures/image/image-layout.ts';
import { baseEntries } from '../../tests/fixtures/image/random-layers.ts';
import { tarOf, type WrittenEntry } from '../../tests/fixtures/image/tar-writer.ts';
import { say } from '../run-command.ts';
import { loadLines, loadNow } from './machine-use.ts';

interface Measured {
  readonly seconds: number;
  readonly peakMb: number;
  readonly writtenMb: number;
}

const peakProgram = `
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
`;

const { values } = parseArgs({
  options: {
    layers: { type: 'string', default: '42' },
    'unpacked-mb': { type: 'string', default: '3000' },
    pairs: { type: 'string', default: '3' },
  },
});

for (const line of loadLines()) say(line);
const work = await mkdtemp(join(tmpdir(), 'restart-chaos-bench-image-'));
try {
  await measureAll();
} finally {
  await removeTree(work);
}

async function measureAll(): Promise<void> {
  const count = Number(values.layers);
  const layout = join(work, 'layout');
  const layers = Array.from({ length: count - 1 }, (_, index) => ({
    tar: layer(index, (Number(values['unpacked-mb']) / (count - 1)) * 1e6),
  }));
  const image = await writeLayout(layout, [{ tar: tarOf(baseEntries) }, ...layers]);
  const files = image.layers.map(({ file }) => file);
  layers.length = 0;
  const ways = {
    ours: (to: string) => [
      process.execPath,
      '--import',
      'tsx',
      join(import.meta.dirname, 'extract-layers.ts'),
      to,
      ...image.layers.flatMap(({ file, digest, bytes }) => [file, digest, String(bytes)]),
    ],
    umoci: (to: string) => ['umoci', 'unpack', '--image', `${layout}:test`, join(to, 'bundle')],
    tar: (to: string) => [
      'sh',
      '-c',
      'to=$1; shift; for layer; do tar -C "$to" -xzf "$layer" || exit 1; done',
      'sh',
      to,
      ...files,
    ],
  };
  say('way     seconds   peak MB   written MB   load');
  const seconds: Record<string, number[]> = { ours: [], umoci: [], tar: [] };
  for (let pair = 1; pair <= Number(values.pairs); pair += 1) {
    for (const [name, argvOf] of Object.entries(ways)) {
      const to = join(work, `${name}-${pair}`);
      mkdirSync(to);
      const measured = measure(argvOf(to), to);
      seconds[name]?.push(measured.seconds);
      const columns = [
        measured.seconds.toFixed(2).padStart(7),
        String(measured.peakMb).padStart(9),
        String(measured.writtenMb).padStart(12),
      ];
      say(`${name.padEnd(6)} ${columns.join(' ')}   ${loadNow().toFixed(2)}`);
      await removeTree(to);
    }
  }
  for (const other of ['umoci', 'tar']) {
    const ratios = (seconds[other] ?? []).map((time, index) =>
      (time / (seconds['ours']?.[index] ?? Number.NaN)).toFixed(2),
    );
    say(`${other} takes ${ratios.join(', ')} times as long as ours`);
  }
}

/** Half of it is text that packs well, half is noise that does not; a tenth of the files is in the pack. */
function layer(index: number, bytes: number): Buffer {
  const random = seedrandom(`bench-${index}`);
  const noise = Buffer.from(Array.from({ length: 1 << 16 }, () => Math.floor(random() * 256)));
  const size = 1 << 17;
  const entries = Array.from({ length: Math.max(1, Math.round(bytes / size)) }, (_, file): WrittenEntry => {
    const shift = Math.floor(random() * noise.length);
    const half = Buffer.concat([noise.subarray(shift), noise.subarray(0, shift)]);
    const content = Buffer.concat([half, Buffer.alloc(size - half.length, `line ${file} of layer ${index}\n`)]);
    return { name: `${file % 10 === 0 ? packPath : 'usr/share'}/l${index}-${file}`, content };
  });
  return tarOf(entries);
}

/** Peak memory is that of the largest process; what was written is what is on the disk afterwards. */
function measure(argv: readonly string[], to: string): Measured {
  const startedAt = performance.now();
  const child = spawnSync('python3', ['-c', peakProgram, ...argv], { encoding: 'utf8', maxBuffer: 1 << 24 });
  const seconds = (performance.now() - startedAt) / 1000;
  if (child.status !== 0) throw new Error(`${argv[0] ?? ''} failed: ${child.stderr.slice(-2000)}`);
  const peakKb = Number(child.stdout.trim().split('\n').at(-1));
  const writtenKb = Number(execFileSync('du', ['-sk', to], { encoding: 'utf8' }).split('\t')[0]);
  return { seconds, peakMb: Math.round(peakKb / 1000), writtenMb: Math.round(writtenKb / 1000) };
}
