/** What the README shows can be done: each command in it is run, or, where it would take minutes, checked up to its start. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  cacheDirectory,
  checkout,
  describeWithPlane,
  runHarness,
  runWave,
  temporaryDirectory,
  waveIn,
  waveTimeoutMs,
} from './run-harness.ts';

const readme = readFileSync(join(checkout, 'README.md'), 'utf8');

/** Arguments of every `npx tsx main.ts …` in code, with `[…]` taken as given. `…` stands for the same in the tables. */
function commandLines(text: string): readonly string[] {
  const written = [...text.matchAll(/(?:npx tsx main\.ts|`…)((?: (?!does\b)[^\s`]+)+)/g)];
  return [...new Set(written.map(([, argv = '']) => argv.replaceAll(/[[\]]/g, '').trim()))];
}

const lines = commandLines(readme);
/** They only read, or try something for a second. */
const readers = ['plan', 'regrade', 'waves', 'verify', 'ledger', 'workloads', 'doctor', 'oracle-selftest'];
const firstWord = (line: string): string => line.split(' ')[0] ?? '';
const isWave = (line: string): boolean => firstWord(line).startsWith('--');
const inPlace = ['--cache', cacheDirectory];

test('each command that the README shows is of a kind that is tried here', () => {
  expect(lines.length).toBeGreaterThan(12);
  const others = lines.filter((line) => !isWave(line) && !readers.includes(firstWord(line)));
  expect(others.toSorted()).toEqual(['explore --workload A1', 'image <name>@sha256:…']);
});

test('the two commands stand in it, and are what a package of this name runs', () => {
  expect(readme).toContain('npm ci && npx tsx main.ts --seed 42 ');
  expect(readme).toContain('npm ci && npm test ');
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(scripts['test']).toBe(scripts['check']);
});

test('each flag that it names is one', async () => {
  const named = new Set([...readme.matchAll(/`[^`]*`/g)].flatMap(([code]) => code.match(/--[a-z][a-z-]*/g) ?? []));
  const help = await Promise.all([['--help'], ['plan', '--help']].map((argv) => runHarness(argv)));
  const known = help.map(({ stdout }) => stdout).join('\n');
  expect(named.size).toBeGreaterThan(8);
  expect([...named].filter((flag) => !known.includes(flag))).toEqual([]);
});

describeWithPlane('the commands of the README', () => {
  const directory = temporaryDirectory();
  const { path: results } = directory;
  let wave: string;

  beforeAll(async () => {
    await runWave(results, [
      '--seed',
      '42',
      '--tasks',
      '1',
      '--workloads',
      'A1',
      '--adapters',
      'process',
      '--faults',
      'none',
    ]);
    wave = waveIn(results).id;
  }, waveTimeoutMs);
  afterAll(directory.remove);

  /** A wave and a task in place of those that it names. */
  function argumentsOf(line: string): readonly string[] {
    return line
      .replaceAll(/<wave>\/<task>|w-\S+\/t\d+/g, `${wave}/t01`)
      .replaceAll('<wave>', wave)
      .split(' ');
  }

  test.each(lines.filter((line) => readers.includes(firstWord(line))))('%s', async (line) => {
    const { exitCode, stdout, stderr } = await runHarness([...argumentsOf(line), '--results', results]);
    expect(exitCode, stderr).toBe(0);
    expect(stdout.trim()).not.toBe('');
  });

  test.each(lines.filter(isWave).filter((line) => line !== '--help'))('%s draws a plan', async (line) => {
    // --control runs two waves with the plan that the rest of the line draws, and refuses to run none.
    const drawing = argumentsOf(line).filter((word) => word !== '--control');
    const argv = [...drawing, '--dry-run', ...inPlace, '--results', results];
    const { exitCode, stdout, stderr } = await runHarness(argv);
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toMatch(/t01/);
  });

  test('image wants a digest, and says so for the one that stands there', async () => {
    const { exitCode, stderr } = await runHarness(['image', '<name>@sha256:…', '--results', results]);
    expect(exitCode, stderr).toBe(3);
    expect(stderr).toContain('an image is named <registry>/<path>@sha256:');
  });

  describe('explore', () => {
    test('takes what the README gives it, and refuses what is added to it alone', async () => {
      const argv = [...argumentsOf('explore --workload A1'), '--planes', '0', ...inPlace, '--results', results];
      const { exitCode, stderr } = await runHarness(argv);
      expect(exitCode, stderr).toBe(3);
      expect(stderr.match(/--[a-z-]+ takes/g)).toEqual(['--planes takes']);
    });
  });
});
