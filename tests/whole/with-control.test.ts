/** `--control` on the lab: two waves, the first without the faults of the plan, and what the second says of its failures. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  eventsOf,
  processesLeft,
  runHarness,
  runWave,
  startWave,
  temporaryDirectory,
  waitForWave,
  wavesIn,
  waveTimeoutMs,
  type HarnessEnd,
  type WaveOnDisk,
} from './run-harness.ts';
import { atWork, writeStrike } from './strike-lab.ts';

const directory = temporaryDirectory();
afterAll(directory.remove);

describe('a wave with its control arm, on a plane that fails without any fault', () => {
  const results = join(directory.path, 'both');
  let end: HarnessEnd;
  let waves: readonly WaveOnDisk[];
  const signature = 'R6 left_lease · K1 · scripted · sturdy';

  beforeAll(async () => {
    const strike = { target: 'lab:lease-forgotten', strike: atWork('K1') };
    const path = await writeStrike(directory.path, 'both-plan', strike);
    end = await runWave(results, ['--control', '--plan', path]);
    waves = wavesIn(results);
  }, 2 * waveTimeoutMs);

  test('are two waves, and a failure that both show is still one of the plane', () => {
    expect(end.exitCode, end.stdout + end.stderr).toBe(1);
    expect(waves.map((wave) => eventsOf(wave, 'fault_started').length)).toEqual([0, 1]);
    expect(waves.map(({ record }) => record?.exitCode)).toEqual([1, 1]);
  });

  test('the second names the first, and the label of the failure, everywhere', () => {
    const [arm, struck] = waves;
    expect(arm?.record).not.toHaveProperty('control');
    expect(struck?.record?.control).toMatchObject({
      wave: arm?.id,
      failures: expect.arrayContaining([
        expect.objectContaining({ task: 't01', signature, label: 'not_caused_by_fault' }),
      ]),
    });
    expect(end.stdout).toMatch(new RegExp(`not_caused_by_fault +${signature}`));
    expect(readFileSync(struck?.paths.summary ?? '', 'utf8')).toContain(`\`not_caused_by_fault\` ${signature}`);
    const ledger = readFileSync(join(results, 'ledger.jsonl'), 'utf8').split('\n');
    expect(ledger.filter((line) => line.includes(`"notCausedByFault":["${signature}"]`))).toHaveLength(1);
  });

  test('grades the same, label included, from the disk', async () => {
    const again = await runHarness(['regrade', waves[1]?.id ?? '', '--results', results]);
    expect(again.exitCode, again.stderr).toBe(1);
    expect(again.stdout.match(/ identical /g)).toHaveLength(2);
  });
});

test(
  'a control arm that was interrupted ends with 2, and the wave with faults is not started',
  async () => {
    const results = join(directory.path, 'interrupted');
    const path = await writeStrike(directory.path, 'interrupted-plan', { target: 'lab', strike: atWork('K1') });
    const harness = startWave(results, ['--control', '--plan', path]);
    await waitForWave(harness, results, (wave) => eventsOf(wave, 'beacon')[0]);
    harness.signal('SIGINT');
    const { exitCode, stderr } = await harness.ended;
    expect(exitCode, stderr).toBe(2);
    expect(stderr).toContain('the control arm did not end in order');
    const waves = wavesIn(results);
    expect(waves.map((wave) => eventsOf(wave, 'interrupt').length)).toEqual([1]);
    expect(waves.flatMap(processesLeft)).toEqual([]);
  },
  waveTimeoutMs,
);
