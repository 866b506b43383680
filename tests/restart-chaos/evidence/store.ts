/**
 * The results directory and the waves in it. Only evidence/ writes there.
 *
 * Refuses a directory that is not ours: everything below it is taken for ours, caches are deleted there.
 * Trap: two waves can start in the same second with the same seed, so a wave's directory is made with one exclusive
 * mkdir, never looked for first.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { HarnessError, UsageError, errorText } from '../model/errors.ts';
import type { WaveId } from '../model/ids.ts';
import type { WavePlan } from '../model/plan.ts';
import { identifyProcess } from '../process/identity.ts';
import { createJson, createText, jsonText } from './file.ts';
import { createRedactor, type Redactor } from './redaction.ts';
import { type WavePaths, wavePaths } from './wave-paths.ts';

const markerName = '.restart-chaos-results';

export interface Results {
  readonly directory: string;
  readonly waves: string;
  readonly cache: string;
  readonly ledger: string;
  /** Symbolic link to the directory of the wave that was created last. */
  readonly latest: string;
}

/** A wave being recorded. Each `write…` creates its file once and throws HarnessError(`evidence-unwritable`) otherwise. */
export interface WaveStore {
  readonly id: WaveId;
  readonly directory: string;
  readonly paths: WavePaths;
  readonly redactor: Redactor;
  /** On the disk, directory included, when it returns. */
  writePlan(plan: WavePlan): void;
  writeStage(stage: StageRecord): void;
  writeSummary(markdown: string): void;
}

/** What staging found out: facts that grading needs (`dialect`) and whatever else a person may want. */
export interface StageRecord {
  readonly schema: 1;
  readonly dialect: string;
  readonly targetVersion: string;
  readonly targetCommit: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Opens the results directory, making it when it is not there. Call it before anything else writes below it.
 * Throws UsageError when it is not a directory, cannot be written, or holds something and has no marker of ours.
 */
export function openResults(directory: string): Results {
  const root = resolve(directory);
  try {
    makeDirectory(root);
    const names = readdirSync(root);
    if (names.length > 0 && !names.includes(markerName)) {
      throw new UsageError([
        `the results directory ${root} holds something and was not made by restart-chaos (no ${markerName} in it); name an empty or a new directory`,
      ]);
    }
    accessSync(root, constants.W_OK | constants.X_OK);
    if (!names.includes(markerName)) writeMarker(join(root, markerName));
    mkdirSync(join(root, 'waves'), { recursive: true });
    mkdirSync(join(root, 'cache'), { recursive: true });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError([`cannot write results to ${root}: ${errorText(error)}; name a directory that you can write`]);
  }
  return resultsAt(root);
}

/** The same paths without touching the disk, for commands that only read. */
export function resultsAt(directory: string): Results {
  const root = resolve(directory);
  return {
    directory: root,
    waves: join(root, 'waves'),
    cache: join(root, 'cache'),
    ledger: join(root, 'ledger.jsonl'),
    latest: join(root, 'latest'),
  };
}

/**
 * Makes a new wave directory, owned by this process. `waveIdFactory` gives the name for the n-th attempt, counted
 * from 0 (`formatWaveId` with its `collision`). Throws HarnessError(`evidence-unwritable`).
 */
export function createWave(
  results: Results,
  waveIdFactory: (collision: number) => WaveId,
  redactor: Redactor = createRedactor(),
): WaveStore {
  const id = claimDirectory(results, waveIdFactory);
  const paths = wavePaths(join(results.waves, id));
  mkdirSync(paths.logs);
  mkdirSync(paths.tasks);
  createJson(paths.owner, { schema: 1, process: identifyProcess(process.pid) } as { schema: number }, redactor);
  pointLatest(results, paths.directory);
  return storeAt(id, paths.directory, redactor);
}

/** A wave that exists already, to add what its harness could not: it was killed. */
export function reopenWave(directory: string, redactor: Redactor): WaveStore {
  return storeAt(basename(directory), directory, redactor);
}

function storeAt(id: WaveId, directory: string, redactor: Redactor): WaveStore {
  const paths = wavePaths(directory);
  return {
    id,
    directory,
    paths,
    redactor,
    writePlan: (plan) => createJson(paths.plan, plan, redactor, { durable: true }),
    writeStage: (stage) => createJson(paths.stage, stage, redactor),
    writeSummary: (markdown) => createText(paths.summary, markdown, redactor),
  };
}

// Far above what can start in one second; a factory that ignores its argument must not loop for ever.
const mostCollisions = 1_000;

function claimDirectory(results: Results, waveIdFactory: (collision: number) => WaveId): WaveId {
  for (let collision = 0; collision < mostCollisions; collision += 1) {
    const id = waveIdFactory(collision);
    try {
      mkdirSync(join(results.waves, id));
      return id;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new HarnessError(
        'evidence-unwritable',
        `could not create the wave ${id} in ${results.waves}: ${errorText(error)}`,
        {
          cause: error,
        },
      );
    }
  }
  throw new HarnessError(
    'evidence-unwritable',
    `no free wave name in ${results.waves} after ${mostCollisions} attempts`,
  );
}

/** A pointer for people, so its failure is nobody's: a file system without symbolic links keeps everything else. */
function pointLatest(results: Results, waveDirectory: string): void {
  const fresh = `${results.latest}.${process.pid}`;
  try {
    symlinkSync(relative(results.directory, waveDirectory), fresh);
    renameSync(fresh, results.latest);
  } catch {
    return;
  }
}

/**
 * Step by step, because the recursive mkdir of Node (24.21) spins for ever where the file system answers ENOENT for
 * a parent that exists, as /proc does.
 */
function makeDirectory(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path || existsSync(dirname(path))) throw error;
    makeDirectory(dirname(path));
    mkdirSync(path);
  }
}

function writeMarker(path: string): void {
  const text = jsonText(
    { schema: 1, about: 'Results of restart-chaos. Everything in this directory belongs to it.' },
    createRedactor(),
  );
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    // Another wave that starts right now made it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
