/** Flags as the command line gives them, and their reading into complete run options. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../model/errors.ts';
import type { RunOptions, TestHook } from '../model/options.ts';
import type { RawPlanOptions } from '../plan/check-plan-options.ts';
import { readDaytonaOptions } from './daytona-flags.ts';

/** Everything optional: this is what was typed. */
export interface RawFlags extends RawPlanOptions {
  readonly json?: boolean;
  readonly results?: string;
  readonly cache?: string;
  readonly keep?: boolean;
  /** False for `--no-tap`. */
  readonly tap?: boolean;
  readonly allowUnsandboxedOracles?: boolean;
  readonly testHook?: readonly string[];
  readonly daytonaProvider?: string;
  readonly daytonaContentId?: string;
  readonly turns?: string;
  readonly turnsIn?: string;
  readonly replay?: string;
  readonly plan?: string;
  readonly dryRun?: boolean;
  readonly control?: boolean;
}

const testHooks: readonly TestHook[] = ['fault-does-not-land', 'start-fails-after-fault'];

/** Reads the flags that say where and how a wave runs. Throws UsageError. */
export function readRunOptions(flags: RawFlags): RunOptions {
  const resultsDirectory = resultsDirectoryOf(flags);
  const asked = flags.testHook ?? [];
  const unknown = asked.filter((hook) => !testHooks.some((known) => known === hook));
  if (unknown.length > 0) {
    throw new UsageError([`--test-hook takes ${testHooks.join(', ')}; got ${unknown.join(', ')}`]);
  }
  return {
    resultsDirectory,
    cacheDirectory: directoryOf('--cache', flags.cache ?? `${resultsDirectory}/cache`),
    json: flags.json ?? false,
    allowUnsandboxedOracles: flags.allowUnsandboxedOracles ?? false,
    keep: flags.keep ?? false,
    tap: flags.tap ?? true,
    turns: readTurns(flags),
    daytona: readDaytonaOptions(flags, process.env),
    testHooks: testHooks.filter((hook) => asked.includes(hook)),
  };
}

/** Given by whoever starts several waves side by side (cli/explore/wave-children.ts), who has made the directory. */
function readTurns({ turns, turnsIn }: RawFlags): RunOptions['turns'] {
  if (turns === undefined && turnsIn === undefined) return null;
  const places = /^[1-9]\d*$/.test(turns ?? '') ? Number(turns) : Number.NaN;
  const problems: string[] = [];
  if (turns === undefined) problems.push('--turns-in goes with --turns <places>, which is missing');
  else if (!Number.isSafeInteger(places)) problems.push(`--turns takes a whole number from 1 on; got "${turns}"`);
  if (turnsIn === undefined) problems.push('--turns goes with --turns-in <directory>, which is missing');
  else if (!isDirectory(turnsIn)) problems.push(`--turns-in takes a directory that is there; got "${turnsIn}"`);
  if (problems.length > 0 || turnsIn === undefined) throw new UsageError(problems);
  return { directory: resolve(turnsIn), places };
}

/** Also false for one that may not be looked at. */
function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

const planFlags = [
  'seed',
  'target',
  'defect',
  'env',
  'daytonaImage',
  'daytonaCpu',
  'tasks',
  'concurrency',
  'workloads',
  'adapters',
  'faults',
  'trigger',
  'budgetCents',
  'timeScale',
] as const satisfies readonly (keyof RawPlanOptions)[];

/** A plan that is taken from somewhere is taken whole: a flag beside it that would change it is refused, not ignored. */
export function refusePlanFlags(flags: RawFlags, from: '--replay' | '--plan'): void {
  const given = planFlags.filter((name) => flags[name] !== undefined);
  if (given.length === 0) return;
  const names = given.map((name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  throw new UsageError([`${from} takes the whole plan from a file; leave out ${names.join(', ')}`]);
}

/** Where a plan is only printed. Throws UsageError. */
export function refuseControl({ control }: RawFlags): void {
  if (control === true)
    throw new UsageError(['--control runs two waves, and here the plan is only printed; leave it out']);
}

/** Where results are, absolute. Throws UsageError. */
export function resultsDirectoryOf(flags: RawFlags): string {
  return directoryOf('--results', flags.results ?? 'results');
}

/** An empty name, as of a variable that is not set, would be the working directory: nobody means that. */
function directoryOf(option: string, path: string): string {
  if (path.trim() === '') throw new UsageError([`${option} takes a directory; got an empty name`]);
  return resolve(path);
}
