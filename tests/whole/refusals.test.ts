/** What the command line refuses, and how: exit code 3, every problem with what to do, and nothing started. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getuid } from 'node:process';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { WavePlan } from '../restart-chaos/model/plan.ts';
import { runHarness, temporaryDirectory } from './run-harness.ts';

const directory = temporaryDirectory();
afterAll(directory.remove);
const fresh = (name: string): string => join(directory.path, name);

/** Every refusal: exit 3, the words, nothing on standard output, and no wave. */
async function refused(argv: readonly string[], ...words: readonly string[]): Promise<void> {
  const results = argv[argv.indexOf('--results') + 1] ?? '';
  const { exitCode, stdout, stderr } = await runHarness(argv);
  expect(exitCode, stderr).toBe(3);
  for (const word of words) expect(stderr).toContain(word);
  expect(stdout).toBe('');
  expect(existsSync(join(results, 'waves')) ? readdirSync(join(results, 'waves')) : []).toEqual([]);
}

describe('the command line refuses', () => {
  test('a flag that it does not know, and names the nearest', async () => {
    await refused(['--sede', '4', '--results', fresh('flag')], "unknown option '--sede'", '--seed');
  });

  test('an environment that does not exist, and lists those that do', async () => {
    await refused(
      ['--env', 'nope', '--seed', '1', '--results', fresh('env')],
      '--env takes local, daytona; got "nope"',
    );
  });

  test('every wrong value at once, each with what is valid', async () => {
    await refused(
      [
        '--seed',
        'x',
        '--env',
        'nope',
        '--tasks',
        '0',
        '--workloads',
        'A1,Z9',
        '--adapters',
        'robot',
        '--faults',
        'K9',
        '--time-scale',
        '2',
        '--target',
        'paperclip@latest',
        '--results',
        fresh('values'),
      ],
      '--seed takes',
      '--env takes local, daytona',
      '--tasks takes',
      'Z9',
      'A1, B1, B5, C1',
      'scripted, process',
      'K9',
      '--time-scale takes',
      'paperclip@<version>',
      'Nothing was started',
    );
  });

  test.each([
    ['that is no wave and task', 'whatever', 'whatever'],
    ['of a wave that is not there', 'w-20200101T000000-s1/t01', '"waves" lists what there is'],
  ])('a replay %s', async (_, replay, words) => {
    await refused(['--replay', replay, '--results', fresh('replay')], words);
  });

  test('to grade or verify what is no wave id', async () => {
    await refused(['regrade', 'nonsense', '--results', fresh('regrade')], 'got "nonsense"');
    await refused(['verify', '../etc', '--results', fresh('verify')], 'got "../etc"');
  });

  test('a test hook that does not exist', async () => {
    const argv = ['--seed', '1', '--test-hook', 'nothing', '--results', fresh('hook')];
    await refused(argv, 'fault-does-not-land', 'got nothing');
  });

  test.each([
    ['a plan that is only printed', ['--dry-run'], 'here the plan is only printed'],
    ['a plan without faults', ['--faults', 'none'], 'this plan has none'],
  ])('a control arm for %s', async (_, argv, words) => {
    await refused(['--control', '--seed', '1', ...argv, '--results', fresh('control')], words, 'leave it out');
  });

  test('a plan file that is not there, is no JSON, or was edited into something else, naming each place', async () => {
    const results = ['--results', fresh('plan')];
    await refused(['--plan', fresh('no.json'), ...results], '--plan', 'cannot be read');
    writeFileSync(fresh('half.json'), '{"schema":1,');
    await refused(['--plan', fresh('half.json'), ...results], 'this is not JSON');
    const { stdout } = await runHarness(['plan', '--json', '--seed', '1', '--tasks', '2', '--faults', 'K4']);
    const plan = JSON.parse(stdout) as WavePlan;
    const [first, second] = plan.tasks;
    const edited = {
      ...plan,
      concurrency: 0,
      tasks: [
        { ...first, workload: 'A9' },
        { ...second, extra: true },
      ],
    };
    writeFileSync(fresh('edited.json'), JSON.stringify(edited));
    await refused(
      ['--plan', fresh('edited.json'), ...results],
      'concurrency',
      'tasks[0].workload',
      'tasks[1]',
      'extra',
    );
    const twin = { ...plan, tasks: plan.tasks.map((task) => ({ ...task, id: 't01', faults: [] })) };
    writeFileSync(fresh('twin.json'), JSON.stringify(twin));
    await refused(['--plan', fresh('twin.json'), ...results], 'tasks[1].id: t01 is the id of tasks[0], too');
  });

  test('a results directory that holds something of somebody else, and leaves it as it was', async () => {
    mkdirSync(fresh('theirs'));
    writeFileSync(join(fresh('theirs'), 'thesis.txt'), 'precious');
    await refused(['--seed', '1', '--results', fresh('theirs')], 'was not made by restart-chaos', 'an empty or a new');
    expect(readdirSync(fresh('theirs'))).toEqual(['thesis.txt']);
    expect(readFileSync(join(fresh('theirs'), 'thesis.txt'), 'utf8')).toBe('precious');
  });

  test('a results directory that is a file', async () => {
    writeFileSync(fresh('file'), '');
    await refused(['--seed', '1', '--results', fresh('file')], 'cannot write results to', 'name a directory');
  });

  // The superuser may write everywhere, so there is nothing to refuse.
  test.skipIf(getuid?.() === 0)('a results directory that cannot be written (skipped as root)', async () => {
    mkdirSync(fresh('closed'));
    chmodSync(fresh('closed'), 0o555);
    await refused(['--seed', '1', '--results', fresh('closed')], 'cannot write results to', 'name a directory');
  });
});

describe('the command line without a wave', () => {
  const argv = ['--seed', '42', '--results', fresh('dry')];

  test('prints the same plan for the same seed, byte for byte, and starts nothing', async () => {
    const [plan, again, dry] = [
      await runHarness(['plan', ...argv, '--json']),
      await runHarness(['plan', ...argv, '--json']),
      await runHarness([...argv, '--dry-run', '--json']),
    ];
    expect(plan.exitCode).toBe(0);
    expect(JSON.parse(plan.stdout)).toMatchObject({ schema: 1, seed: 42 });
    expect(again.stdout).toBe(plan.stdout);
    expect(dry.stdout).toBe(plan.stdout);
    expect(existsSync(fresh('dry'))).toBe(false);
  });

  test('prints the plan for people, too: a line for every task', async () => {
    const { exitCode, stdout } = await runHarness([...argv, '--tasks', '3', '--dry-run']);
    expect(exitCode).toBe(0);
    for (const id of ['t01', 't02', 't03']) expect(stdout).toContain(id);
    expect(stdout).not.toContain('t04');
  });

  test('runs from any directory', async () => {
    const { exitCode, stdout } = await runHarness(['waves'], { cwd: directory.path });
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: `no waves in ${join(directory.path, 'results', 'waves')}\n`,
    });
  });

  test('explains itself', async () => {
    const { exitCode, stdout } = await runHarness(['--help']);
    expect(exitCode).toBe(0);
    for (const word of ['--seed', '--replay', '--budget-cents', 'Exit codes']) expect(stdout).toContain(word);
    // Where its lines break depends on the width of the terminal.
    expect(stdout).toMatch(/hard monthly cap of the wave's company \(default\s+3000\)/);
  });
});
