/**
 * Runs the harness as its user does: `node main.ts …` as a process of its own, with a results directory of its own.
 * Looks at nothing but what a user could look at: exit code, output, files, and the processes of the machine.
 *
 * Deliberately not here: what a wave should have done; that is each test's own.
 * Trap: under an older Node the harness starts itself again, and a SIGKILL would hit only the first of the two
 * processes; so it is started under the Node it would choose.
 */
import { execFileSync, spawn, type ChildProcessByStdio } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe } from 'vitest';
import { suitableNode } from '../restart-chaos/cli/relaunch.ts';
import { readEventLog } from '../restart-chaos/evidence/event-reader.ts';
import { readRecord } from '../restart-chaos/evidence/grades.ts';
import { wavePaths, type WavePaths } from '../restart-chaos/evidence/wave-paths.ts';
import type { WaveEvent } from '../restart-chaos/model/event.ts';
import type { PlannedFault, ProcessIdentity } from '../restart-chaos/model/fault.ts';
import type { WavePlan, WorkloadId } from '../restart-chaos/model/plan.ts';
import type { WaveRecord } from '../restart-chaos/model/record.ts';
import { defaultTarget } from '../restart-chaos/model/target.ts';
import { identifyProcess, isAlive } from '../restart-chaos/process/identity.ts';
import { processesOfWave } from '../restart-chaos/process/table.ts';
import { sleep } from '../restart-chaos/process/wait.ts';

export const checkout = join(import.meta.dirname, '..', '..');

/** Where the plane is; scripts/check.ts put it there. */
export const cacheDirectory = process.env['RESTART_CHAOS_TEST_CACHE'] ?? join(checkout, 'results', 'cache');

const planeIsThere = existsSync(join(cacheDirectory, 'targets', defaultTarget, 'receipt.json'));

/** Tests of the published plane; skipped on a machine that has it neither in its cache nor from a registry. */
export function describeWithPlane(title: string, body: () => void): void {
  describe.skipIf(!planeIsThere)(`the published plane: ${title}`, body);
}

/** One wave on a busy machine with two cores took a minute and a half; past this something hangs. */
export const waveTimeoutMs = 8 * 60_000;

/**
 * `--time-scale` of a wave here unless it says otherwise: a rest window of 3 s, a stall limit of 30 s. The plane's own
 * waits stay as they are, and on a busy machine an agent may need longer than 30 s to start: such a wave still ends, and
 * must not be expected to pass.
 */
const defaultTimeScale = 0.05;

export interface HarnessOptions {
  readonly timeScale?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface HarnessEnd {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Harness {
  readonly identity: ProcessIdentity;
  readonly ended: Promise<HarnessEnd>;
  /** What it printed so far, both streams. */
  output(): string;
  signal(signal: NodeJS.Signals): void;
}

/** A directory below which one test file keeps its results; `remove` in afterAll. */
export function temporaryDirectory(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'restart-chaos-whole-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts a wave with these arguments and results there. */
export function startWave(results: string, argv: readonly string[], options: HarnessOptions = {}): Harness {
  // A saved plan has its own.
  const scale = argv.includes('--plan') ? [] : ['--time-scale', String(options.timeScale ?? defaultTimeScale)];
  return startHarness([...argv, ...scale, '--cache', cacheDirectory, '--results', results], options);
}

/** Runs a wave to its end. */
export async function runWave(
  results: string,
  argv: readonly string[],
  options: HarnessOptions = {},
): Promise<HarnessEnd> {
  return startWave(results, argv, options).ended;
}

/** Runs any command line to its end. */
export async function runHarness(argv: readonly string[], options: HarnessOptions = {}): Promise<HarnessEnd> {
  return startHarness(argv, options).ended;
}

function startHarness(argv: readonly string[], { environment = {}, cwd = checkout }: HarnessOptions): Harness {
  const node = suitableNode();
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(
    node === 'this' ? process.execPath : node,
    [join(checkout, 'main.ts'), ...argv],
    { cwd, env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<HarnessEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
  const identity = identifyProcess(child.pid ?? 0);
  if (identity === null) throw new Error(`the harness did not start: ${argv.join(' ')}`);
  return { identity, ended, output: () => stdout + stderr, signal: (signal) => void child.kill(signal) };
}

export interface PlanByHand {
  readonly seed: number;
  readonly workload: WorkloadId;
  readonly timeScale: number;
  readonly faults: readonly PlannedFault[];
}

/** Writes a plan of one scripted task with these faults, as a person would: a drawn plan, edited. Returns its path. */
export async function writePlanByHand(directory: string, by: PlanByHand): Promise<string> {
  const draw = ['--seed', String(by.seed), '--tasks', '1', '--workloads', by.workload, '--adapters', 'scripted'];
  const scale = ['--time-scale', String(by.timeScale)];
  const { stdout } = await runHarness(['plan', '--json', ...draw, ...scale, '--faults', 'none']);
  const plan = JSON.parse(stdout) as WavePlan;
  const minuteMs = 60_000;
  const tasks = plan.tasks.map((task) => ({ ...task, faults: by.faults, deadlineMs: 20 * minuteMs }));
  const path = join(directory, 'plan.json');
  writeFileSync(path, JSON.stringify({ ...plan, deadlineMs: 30 * minuteMs, tasks }));
  return path;
}

/** A wave as it lies on the disk. */
export interface WaveOnDisk {
  readonly id: string;
  readonly paths: WavePaths;
  readonly events: readonly WaveEvent[];
  /** Null when it was not graded. */
  readonly record: WaveRecord | null;
}

/** The waves in a results directory, oldest first. */
export function wavesIn(results: string): readonly WaveOnDisk[] {
  return readdirSync(join(results, 'waves'))
    .toSorted((left, right) => left.localeCompare(right, 'en', { numeric: true }))
    .map((id) => {
      const paths = wavePaths(join(results, 'waves', id));
      return { id, paths, events: readEventLog(paths.events).events, record: readRecord(paths.directory) };
    });
}

/** The newest wave there. */
export function waveIn(results: string): WaveOnDisk {
  const wave = wavesIn(results).at(-1);
  if (wave === undefined) throw new Error(`no wave in ${results}`);
  return wave;
}

type Kind = WaveEvent['kind'];
export type EventOf<K extends Kind> = Extract<WaveEvent, { kind: K }>;

/** Every event of one kind. */
export function eventsOf<K extends Kind>(wave: WaveOnDisk, kind: K): readonly EventOf<K>[] {
  return wave.events.filter((event): event is EventOf<K> => event.kind === kind);
}

/** Waits, while the harness runs, until the newest wave there shows something. Throws when the harness ends first. */
export async function waitForWave<T>(
  harness: Harness,
  results: string,
  find: (wave: WaveOnDisk) => T | null | undefined,
): Promise<T> {
  for (;;) {
    const wasAlive = isAlive(harness.identity);
    const wave = existsSync(join(results, 'waves')) ? wavesIn(results).at(-1) : undefined;
    const found = wave === undefined ? null : find(wave);
    if (found !== null && found !== undefined) return found;
    if (!wasAlive) throw new Error(`the harness ended before it was seen: ${String(find)}\n${harness.output()}`);
    await sleep(100);
  }
}

/** What is left of a wave: processes with its mark, processes that its events name, and its guardian. */
export function processesLeft(wave: WaveOnDisk): readonly string[] {
  const marked = processesOfWave(wave.id).map(({ pid }) => `marked ${pid}`);
  const recorded = wave.events.flatMap(identitiesIn).filter(isAlive);
  return [...marked, ...recorded.map(({ pid }) => `recorded ${pid}`), ...guardiansOf(wave.id)];
}

/** The guardian carries no mark, but its arguments name the wave. */
function guardiansOf(wave: string): readonly string[] {
  const rows = execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n');
  return rows.filter((row) => row.includes(wave) && row.includes('guardian')).map((row) => `guardian ${row.trim()}`);
}

function identitiesIn(value: unknown): readonly ProcessIdentity[] {
  if (typeof value !== 'object' || value === null) return [];
  const { pid, startTime } = value as Partial<ProcessIdentity>;
  const here = typeof pid === 'number' && typeof startTime === 'string' ? [{ pid, startTime }] : [];
  return [...here, ...Object.values(value).flatMap(identitiesIn)];
}

/** The run directory of a wave, once it was staged. */
export function runDirectoryOf(wave: WaveOnDisk): string {
  const stage = JSON.parse(readFileSync(wave.paths.stage, 'utf8')) as { details: { runDirectory: string } };
  return stage.details.runDirectory;
}
