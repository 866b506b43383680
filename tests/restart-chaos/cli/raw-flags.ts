/** Flags as the command line gives them, and their reading into complete run options. */
import { resolve } from 'node:path';
import { UsageError } from '../model/errors.ts';
import type { RunOptions, TestHook } from '../model/options.ts';
import type { RawPlanOptions } from '../plan/check-plan-options.ts';

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
  readonly turns?: string;
  readonly turnsIn?: string;
  readonly replay?: string;
  readonly plan?: string;
  readonly dryRun?: boolean;
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
    cacheDirectory: resolve(flags.cache ?? `${resultsDirectory}/cache`),
    json: flags.json ?? false,
    allowUnsandboxedOracles: flags.allowUnsandboxedOracles ?? false,
    keep: flags.keep ?? false,
    tap: flags.tap ?? true,
    turns: readTurns(flags),
    testHooks: testHooks.filter((hook) => asked.includes(hook)),
  };
}

/** Given by whoever starts several waves side by side (cli/explore/wave-children.ts). */
function readTurns({ turns, turnsIn }: RawFlags): RunOptions['turns'] {
  if (turns === undefined && turnsIn === undefined) return null;
  const places = Number(turns);
  if (turnsIn !== undefined && Number.isInteger(places) && places >= 1) return { directory: resolve(turnsIn), places };
  throw new UsageError([
    `--turns takes a whole number from 1 on, beside --turns-in <directory>; got ${turns ?? 'none'}`,
  ]);
}

const planFlags = [
  'seed',
  'target',
  'defect',
  'env',
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

/** Where results are, absolute. */
export function resultsDirectoryOf(flags: RawFlags): string {
  return resolve(flags.results ?? 'results');
}
