/** The control arm, from the command line to the evidence; and two secrets that pass through a wave. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { redacted } from '../restart-chaos/evidence/redaction.ts';
import { secretForms } from '../restart-chaos/evidence/secret-forms.ts';
import { exitCode } from '../restart-chaos/model/exit-code.ts';
import { ruleIds } from '../restart-chaos/model/finding.ts';
import {
  checkout,
  describeWithPlane,
  eventsOf,
  processesLeft,
  runDirectoryOf,
  runHarness,
  runWave,
  temporaryDirectory,
  waveIn,
  wavesIn,
  waveTimeoutMs,
  type HarnessEnd,
  type WaveOnDisk,
} from './run-harness.ts';

/** Stands in an argument, and so in the events and in the summary, if nothing takes it out. */
const token = 'tok-4711-of-the-operator';
/** Printed by every agent; what JSON, URLs and base64 make of it must not be found either. */
const printed = 'pa"ss/w\\ord é+4711';

/** A stall limit of 150 s: here every task must pass, on a busy machine, too. */
const patientTimeScale = 0.25;

describeWithPlane('the control arm with both kinds of agent', () => {
  const directory = temporaryDirectory();
  const results = join(directory.path, token);
  let before: readonly string[];
  let end: HarnessEnd;
  let wave: WaveOnDisk;

  beforeAll(async () => {
    mkdirSync(results);
    before = checkoutState();
    const argv = ['--seed', '4', '--tasks', '2', '--workloads', 'A1', '--faults', 'none', '--keep'];
    const environment = { X_TOKEN: token, CHAOS_PRINT_SECRET: printed };
    // A machine too busy to look often enough gives no verdict, and says so; then there is nothing to judge here either.
    for (let attempt = 1; attempt === 1 || (end.exitCode === exitCode.inconclusive && attempt <= 3); attempt += 1) {
      end = await runWave(results, argv, { environment, timeScale: patientTimeScale });
    }
    wave = waveIn(results);
  }, 3 * waveTimeoutMs);
  afterAll(() => {
    for (const each of wavesIn(results)) rmSync(runDirectoryOf(each), { recursive: true, force: true });
    directory.remove();
  });

  test('passes every rule for every task, with exit code 0', () => {
    expect(end.exitCode, end.stdout + end.stderr).toBe(0);
    const tasks = wave.record?.tasks ?? [];
    expect(tasks.map(({ plan }) => plan.adapter).toSorted()).toEqual(['process', 'scripted']);
    for (const { grade } of tasks) {
      expect(grade.rules.map(({ rule, verdict }) => [rule, verdict])).toEqual(ruleIds.map((rule) => [rule, 'pass']));
      expect(grade).toMatchObject({ verdict: 'pass', continuation: 'not_crossed', restStatus: 'done' });
    }
    expect(wave.record).toMatchObject({ verdict: 'pass', exitCode: 0, harnessErrors: [], faults: [], orphans: [] });
  });

  test('shows its plan before and its verdict after', () => {
    expect(end.stdout).toContain('TIME SCALE 0.25');
    expect(end.stdout).toMatch(/R4 once +2 pass/);
  });

  test('each task worked in a worktree of its own', () => {
    const places = wave.events.flatMap((event) =>
      event.kind === 'beacon' && event.beacon.moment === 'step' ? [`${event.task} ${event.beacon.cwd}`] : [],
    );
    expect(new Set(places).size).toBe(2);
    expect(new Set(places.map((place) => place.split(' ')[1])).size).toBe(2);
  });

  test('leaves evidence that is whole', async () => {
    const verified = await runHarness(['verify', wave.id, '--results', results]);
    expect(verified).toMatchObject({ exitCode: 0, stdout: `${wave.id}: the evidence is whole\n` });
  });

  test('grades the same, byte for byte, from the disk', async () => {
    const graded = [wave.paths.record, ...['t01', 't02'].map((id) => wave.paths.task(id).grade)];
    const bytes = graded.map((path) => readFileSync(path, 'utf8'));
    const again = await runHarness(['regrade', wave.id, '--results', results]);
    expect(again.exitCode).toBe(0);
    expect(again.stdout.match(/ identical /g)).toHaveLength(3);
    expect(graded.map((path) => readFileSync(path, 'utf8'))).toEqual(bytes);
  });

  test('leaves no process, the checkout as it was, and the run directory because --keep asked for it', () => {
    expect(processesLeft(wave)).toEqual([]);
    expect(existsSync(runDirectoryOf(wave))).toBe(true);
    expect(eventsOf(wave, 'close_step').filter(({ ok }) => !ok)).toEqual([]);
    expect(checkoutState()).toEqual(before);
  });

  test.each([
    ['a token of the harness’s environment', token],
    ['a secret that an agent printed', printed],
  ])('%s stands in no file, in no form', (_, secret) => {
    const places = filesBelow(results).filter((path) => {
      const text = readFileSync(path, 'utf8');
      return secretForms(secret).some((form) => text.includes(form));
    });
    expect(places).toEqual([]);
  });

  test('both secrets were there to be found', () => {
    expect(readFileSync(wave.paths.summary, 'utf8')).toContain(`--results ${directory.path}/${redacted}`);
    // The plane keeps what an agent prints in its home, as lines of JSON in JSON.
    const keptByPlane = filesBelow(join(runDirectoryOf(wave), 'home')).filter((path) =>
      secretForms(printed).some((form) => readFileSync(path, 'utf8').includes(form)),
    );
    expect(keptByPlane.length).toBeGreaterThanOrEqual(2);
  });
});

/** What git sees of the checkout that a wave could have made: untracked files, worktrees, branches. */
function checkoutState(): readonly string[] {
  const git = (...argv: readonly string[]): string[] =>
    execFileSync('git', ['-C', checkout, ...argv], { encoding: 'utf8' })
      .trim()
      .split('\n');
  return [
    ...git('ls-files', '--others', '--exclude-standard').filter((path) => !path.endsWith('.ts')),
    ...git('worktree', 'list', '--porcelain').filter((line) => line.startsWith('worktree')),
    ...git('branch', '--list'),
  ];
}

function filesBelow(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
