/** Reads what the command line gives to `explore`. Every problem is collected, as for a wave. */
import { faultKinds } from '../faults/catalogue.ts';
import { momentProblem } from '../faults/moment-steps.ts';
import { UsageError } from '../model/errors.ts';
import { isExplorationId, type ExploreEffort, type ExploreOptions, type ExplorationId } from '../model/exploration.ts';
import type { FaultKind } from '../model/fault.ts';
import { defaultBudgetCents } from '../model/numbers.ts';
import { adapterIds, temperaments, workloadIds, type Pace } from '../model/plan.ts';
import { defaultTarget, parseTarget } from '../model/target.ts';
import { nearestName } from './nearest-name.ts';

/** One value as it was typed; `undefined` when the option was not given. */
type RawValue = string | number | undefined;

export interface RawExploreOptions {
  readonly seed?: RawValue;
  readonly target?: RawValue;
  readonly workload?: RawValue;
  readonly adapter?: RawValue;
  readonly temperament?: RawValue;
  readonly fault?: RawValue;
  readonly budgetCents?: RawValue;
  readonly timeScale?: RawValue;
  readonly planes?: RawValue;
  readonly pointsPerWave?: RawValue;
  /** A length of time: `90s`, `20m`, `1h`. */
  readonly budget?: RawValue;
  readonly resume?: RawValue;
}

/** A new exploration, or one that goes on. */
export type ExploreRequest =
  | { readonly kind: 'new'; readonly options: ExploreOptions; readonly effort: ExploreEffort }
  | { readonly kind: 'resume'; readonly id: ExplorationId; readonly effort: ExploreEffort };

/**
 * Two seconds of work in four steps: the plane writes the same commits for a longer task, and each point costs the task
 * once more.
 */
export const explorePace: Pace = { steps: 4, stepMs: 500 };

const defaultPointsPerWave = 12;

const anyCommit = { kind: 'commit', pattern: '', side: 'before' } as const;
const crashKinds: readonly FaultKind[] = faultKinds.filter((kind) => momentProblem(kind, anyCommit) === null);

/** Decides what an exploration is; a resumed one keeps it. */
const lastingOptions = [
  'seed',
  'target',
  'workload',
  'adapter',
  'temperament',
  'fault',
  'budgetCents',
  'timeScale',
] as const;

/** Complete options. `defaultPlanes` is what this machine can carry. Throws UsageError with every problem at once. */
export function checkExploreOptions(raw: RawExploreOptions, defaultPlanes: number): ExploreRequest {
  const problems: string[] = [];
  const whole = (option: string, value: RawValue, range: { fallback: number; min: number; max: number }): number =>
    readWhole({ option, value, ...range, problems });
  const effort: ExploreEffort = {
    planes: whole('--planes', raw.planes, { fallback: defaultPlanes, min: 1, max: 32 }),
    pointsPerWave: whole('--points-per-wave', raw.pointsPerWave, { fallback: defaultPointsPerWave, min: 1, max: 99 }),
    budgetMs: raw.budget === undefined ? null : readLength('--budget', raw.budget, problems),
  };
  const request: ExploreRequest =
    raw.resume === undefined
      ? { kind: 'new', options: readOptions(raw, problems), effort }
      : { kind: 'resume', id: readResume(raw, raw.resume, problems), effort };
  if (problems.length > 0) throw new UsageError(problems);
  return request;
}

function readOptions(raw: RawExploreOptions, problems: string[]): ExploreOptions {
  const one = <Name extends string>(
    option: string,
    value: RawValue,
    valid: readonly Name[],
    fallback: Name | null,
  ): Name => readName({ option, value, valid, fallback, problems });
  const max = Number.MAX_SAFE_INTEGER;
  return {
    seed: readWhole({ option: '--seed', value: raw.seed, fallback: null, min: 0, max, problems }),
    target: readTarget(raw.target, problems),
    workload: one('--workload', raw.workload, workloadIds, null),
    adapter: one('--adapter', raw.adapter, adapterIds, 'scripted'),
    temperament: one('--temperament', raw.temperament, temperaments, 'fragile'),
    pace: explorePace,
    fault: one('--fault', raw.fault, crashKinds, 'K1'),
    budgetCents: readWhole({
      option: '--budget-cents',
      value: raw.budgetCents,
      fallback: defaultBudgetCents,
      min: 1,
      max: 1_000_000_000,
      problems,
    }),
    timeScale: readTimeScale(raw.timeScale, problems),
  };
}

function readResume(raw: RawExploreOptions, resume: string | number, problems: string[]): ExplorationId {
  const id = String(resume);
  if (!isExplorationId(id)) {
    problems.push(`--resume takes the id of an exploration, for example x-20261130T164512-s42; got "${id}"`);
  }
  const given = lastingOptions.filter((name) => raw[name] !== undefined);
  const flags = given.map((name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  if (given.length > 0) problems.push(`--resume goes on with what was asked for then; leave out ${flags.join(', ')}`);
  return id;
}

function readName<Name extends string>(given: {
  readonly option: string;
  readonly value: RawValue;
  readonly valid: readonly Name[];
  /** Null: it must be given. */
  readonly fallback: Name | null;
  readonly problems: string[];
}): Name {
  const { option, value, valid, fallback, problems } = given;
  if (value === undefined && fallback !== null) return fallback;
  const found = valid.find((name) => name === String(value));
  if (found !== undefined) return found;
  const hint = value === undefined ? null : nearestName(String(value), valid);
  const got =
    value === undefined ? 'it is missing' : `got "${value}"${hint === null ? '' : ` (did you mean ${hint}?)`}`;
  problems.push(`${option} takes one of ${valid.join(', ')}; ${got}`);
  return fallback ?? (valid[0] as Name);
}

function readWhole(given: {
  readonly option: string;
  readonly value: RawValue;
  readonly fallback: number | null;
  readonly min: number;
  readonly max: number;
  readonly problems: string[];
}): number {
  const { option, value, fallback, min, max, problems } = given;
  if (value === undefined && fallback !== null) return fallback;
  const number = /^\d+$/.test(String(value).trim()) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  problems.push(
    `${option} takes a whole number from ${min} to ${max}; ${value === undefined ? 'it is missing' : `got "${value}"`}`,
  );
  return min;
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

function readLength(option: string, value: string | number, problems: string[]): number {
  const [, number, unit] = /^(\d+)\s*([smh])$/.exec(String(value).trim()) ?? [];
  const ms = Number(number) * (unitMs[unit ?? ''] ?? Number.NaN);
  if (ms > 0) return ms;
  problems.push(`${option} takes a length of time such as 90s, 20m or 1h; got "${value}"`);
  return 0;
}

function readTimeScale(value: RawValue, problems: string[]): number {
  if (value === undefined) return 1;
  const number = /^\d*\.?\d+$/.test(String(value).trim()) ? Number(value) : Number.NaN;
  if (number > 0 && number <= 1) return number;
  problems.push(`--time-scale takes a number above 0 and up to 1, for example 0.05; got "${value}"`);
  return 1;
}

function readTarget(value: RawValue, problems: string[]): string {
  if (value === undefined) return defaultTarget;
  try {
    return parseTarget(String(value)).text;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    problems.push(...error.problems);
    return defaultTarget;
  }
}
