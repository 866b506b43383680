/**
 * What an exploration leaves beside its waves: results/explorations/<id>/ with explore.json, EXPLORE.md and explore.html,
 * and the plan and the log of each wave that it began.
 *
 * Unlike a wave's evidence these files are written again at every change, each by an atomic rename, so that a reader, and
 * whoever goes on after an interrupt, finds a whole one. What is concluded in them lies in the waves, which nobody changes.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorText, HarnessError, UsageError } from '../model/errors.ts';
import { isExplorationId, type Exploration, type ExplorationId } from '../model/exploration.ts';
import type { ProcessIdentity } from '../model/fault.ts';
import type { WavePlan } from '../model/plan.ts';
import { identifyProcess, isAlive } from '../process/identity.ts';
import { explorationProblem } from './exploration-schema.ts';
import { createJson, jsonText, readJson } from './file.ts';
import { writeAll } from './redact-file.ts';
import type { Redactor } from './redaction.ts';
import type { Results } from './store.ts';

export interface ExplorationPaths {
  readonly directory: string;
  /** The process that explores. */
  readonly owner: string;
  readonly record: string;
  readonly markdown: string;
  readonly page: string;
  /** Where its waves take turns. */
  readonly turns: string;
  /** Of one wave, by its name among those of the exploration. */
  plan(name: string): string;
  log(name: string): string;
}

/** An exploration that this process writes. Each method throws HarnessError(`evidence-unwritable`). */
export interface ExplorationStore {
  readonly id: ExplorationId;
  readonly paths: ExplorationPaths;
  save(exploration: Exploration): void;
  saveReports(reports: { readonly markdown: string; readonly page: string }): void;
  /** A name that no wave of this exploration has had: `p01`, `p02`, … for the prefix `p`. Makes its empty log. */
  claimName(prefix: string): string;
  /** Once for each name. */
  writePlan(name: string, plan: WavePlan): void;
}

/** Makes a new one. `idFactory` gives the name for the n-th attempt, counted from 0. */
export function createExploration(
  results: Results,
  idFactory: (collision: number) => ExplorationId,
  redactor: Redactor,
): ExplorationStore {
  const id = claimDirectory(results, idFactory);
  return storeAt(results, id, redactor);
}

/** Goes on with one. Throws UsageError when there is none, it cannot be read, or another process explores it. */
export function resumeExploration(
  results: Results,
  id: ExplorationId,
  redactor: Redactor,
): { readonly store: ExplorationStore; readonly exploration: Exploration } {
  const paths = explorationPaths(results, id);
  const exploration = readRecord(paths.record, `--resume ${id}`);
  if (exploration === null) {
    const there = explorationIds(results);
    throw new UsageError([
      `--resume ${id}: there is no ${paths.record} that can be read; there ${there.length === 0 ? 'is no exploration yet' : `are ${there.join(', ')}`}`,
    ]);
  }
  const problem = explorationProblem(exploration, id);
  if (problem !== null) throw new UsageError([`--resume ${id}: ${paths.record} is no such exploration: ${problem}`]);
  const owner = readJson<Owner>(paths.owner)?.process ?? null;
  if (owner !== null && isAlive(owner)) throw new UsageError([`--resume ${id}: process ${owner.pid} is exploring it`]);
  return { store: storeAt(results, id, redactor), exploration };
}

/** Null when it is missing or no JSON. One of a newer version is refused as what it is: something that was asked for. */
function readRecord(path: string, asked: string): Exploration | null {
  try {
    return readJson<Exploration>(path);
  } catch (error) {
    throw new UsageError([`${asked}: ${errorText(error)}`]);
  }
}

/** Every exploration that can be read, oldest first. */
export function readExplorations(results: Results): readonly Exploration[] {
  return explorationIds(results).flatMap((id) => {
    try {
      const exploration = readJson<Exploration>(explorationPaths(results, id).record);
      return exploration === null || explorationProblem(exploration, id) !== null ? [] : exploration;
    } catch {
      // Written by a newer version: it is not for us to compare with.
      return [];
    }
  });
}

interface Owner {
  readonly schema: 1;
  readonly process: ProcessIdentity | null;
}

function storeAt(results: Results, id: ExplorationId, redactor: Redactor): ExplorationStore {
  const paths = explorationPaths(results, id);
  const owner: Owner = { schema: 1, process: identifyProcess(process.pid) };
  for (const folder of ['plans', 'logs']) mkdirSync(join(paths.directory, folder), { recursive: true });
  replaceText(paths.owner, jsonText(owner, redactor));
  return {
    id,
    paths,
    save: (exploration) => replaceText(paths.record, jsonText(exploration, redactor)),
    saveReports: ({ markdown, page }) => {
      replaceText(paths.markdown, redactor.text(markdown));
      replaceText(paths.page, redactor.text(page));
    },
    claimName: (prefix) => claimName(paths, prefix),
    writePlan: (name, plan) => createJson(paths.plan(name), plan, redactor),
  };
}

function claimName(paths: ExplorationPaths, prefix: string): string {
  for (let ordinal = 1; ; ordinal += 1) {
    const name = `${prefix}${String(ordinal).padStart(2, '0')}`;
    try {
      closeSync(openSync(paths.log(name), 'wx'));
      return name;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new HarnessError('evidence-unwritable', `could not create ${paths.log(name)}: ${errorText(error)}`, {
        cause: error,
      });
    }
  }
}

function explorationPaths(results: Results, id: ExplorationId): ExplorationPaths {
  const directory = join(explorationsOf(results), id);
  return {
    directory,
    owner: join(directory, 'owner.json'),
    record: join(directory, 'explore.json'),
    markdown: join(directory, 'EXPLORE.md'),
    page: join(directory, 'explore.html'),
    turns: join(directory, 'turns'),
    plan: (name) => join(directory, 'plans', `${name}.json`),
    log: (name) => join(directory, 'logs', `${name}.log`),
  };
}

function explorationsOf(results: Results): string {
  return join(results.directory, 'explorations');
}

function explorationIds(results: Results): readonly ExplorationId[] {
  try {
    return readdirSync(explorationsOf(results))
      .filter(isExplorationId)
      .toSorted((left, right) => left.localeCompare(right, 'en', { numeric: true }));
  } catch {
    return [];
  }
}

// Far above what can start in one second; a factory that ignores its argument must not loop for ever.
const mostCollisions = 1_000;

function claimDirectory(results: Results, idFactory: (collision: number) => ExplorationId): ExplorationId {
  const parent = explorationsOf(results);
  mkdirSync(parent, { recursive: true });
  for (let collision = 0; collision < mostCollisions; collision += 1) {
    const id = idFactory(collision);
    try {
      mkdirSync(join(parent, id));
      return id;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      const message = `could not create the exploration ${id} in ${parent}: ${errorText(error)}`;
      throw new HarnessError('evidence-unwritable', message, { cause: error });
    }
  }
  throw new HarnessError('evidence-unwritable', `no free name in ${parent} after ${mostCollisions} attempts`);
}

/** The new text, or, whatever happens, the old one. */
function replaceText(path: string, text: string): void {
  const fresh = `${path}.${process.pid}.new`;
  try {
    const descriptor = openSync(fresh, 'w');
    try {
      writeAll(descriptor, Buffer.from(text, 'utf8'));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw new HarnessError(
      'evidence-unwritable',
      `could not write ${path}: ${errorText(error)}; the one before it is kept`,
      {
        cause: error,
      },
    );
  }
}
