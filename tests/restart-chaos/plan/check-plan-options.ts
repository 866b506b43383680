/**
 * Reads what the command line gives into complete options. Every problem is collected, so that nobody mends one
 * only to be told of the next.
 */
import { defaultFaults, faultKinds } from '../faults/catalogue.ts';
import { UsageError } from '../model/errors.ts';
import type { FaultChoice } from '../model/fault.ts';
import { defaultBudgetCents } from '../model/numbers.ts';
import type { PlanOptions } from '../model/options.ts';
import { adapterIds, programAdapterIds, workloadIds, type AdapterId, type WorkloadId } from '../model/plan.ts';
import { defaultTarget, parseTarget } from '../model/target.ts';
import { defaultWorkloads } from '../workloads/catalogue.ts';
import { nearestName } from './nearest-name.ts';
import { mostBudgetCents, mostConcurrency, mostTasks } from './plan-limits.ts';
import { providerFaultProblems } from './provider-fault-problems.ts';
import { readEnvironment } from './read-environment.ts';
import { readTrigger } from './read-trigger.ts';
import { workloadProblems } from './remote-problems.ts';
import { triggerProblems } from './trigger-problems.ts';

/** One value as it was typed; `undefined` when the option was not given. */
export type RawValue = string | number | undefined;

export interface RawPlanOptions {
  readonly seed?: RawValue;
  readonly target?: RawValue;
  /** Names of defects to plant in the lab, as many as were given. */
  readonly defect?: readonly string[];
  readonly env?: RawValue;
  readonly daytonaImage?: RawValue;
  readonly daytonaCpu?: RawValue;
  readonly tasks?: RawValue;
  readonly concurrency?: RawValue;
  /** Comma-separated names, as are `adapters` and `faults`. */
  readonly workloads?: RawValue;
  readonly adapters?: RawValue;
  readonly faults?: RawValue;
  readonly trigger?: RawValue;
  readonly budgetCents?: RawValue;
  readonly timeScale?: RawValue;
}

/** What an option is when it is not given. There is no default seed: whoever draws one must also show it. */
const planDefaults = { tasks: 8, concurrency: 4, adapters: programAdapterIds, timeScale: 1 } as const;

const faultChoices: readonly FaultChoice[] = [...faultKinds, 'none'];

/** Complete options, lists in catalogue order and without repetition. Throws UsageError with every problem at once. */
export function checkPlanOptions(raw: RawPlanOptions): PlanOptions {
  const problems: string[] = [];
  const names = <Name extends string>(list: Omit<NameList<Name>, 'problems'>): readonly Name[] =>
    readNames({ ...list, problems });
  const whole = (number: Omit<WholeNumber, 'problems'>): number => readWhole({ ...number, problems });
  const options: PlanOptions = {
    seed: whole({ option: '--seed', value: raw.seed, fallback: null, min: 0, max: Number.MAX_SAFE_INTEGER }),
    target: orDefault(defaultTarget, problems, () => readTarget(raw)),
    ...readEnvironment(raw, problems),
    tasks: whole({ option: '--tasks', value: raw.tasks, fallback: planDefaults.tasks, min: 1, max: mostTasks }),
    concurrency: whole({
      option: '--concurrency',
      value: raw.concurrency,
      fallback: planDefaults.concurrency,
      min: 1,
      max: mostConcurrency,
    }),
    workloads: names<WorkloadId>({
      option: '--workloads',
      value: raw.workloads,
      fallback: defaultWorkloads,
      valid: workloadIds,
    }),
    adapters: names<AdapterId>({
      option: '--adapters',
      value: raw.adapters,
      fallback: planDefaults.adapters,
      valid: adapterIds,
    }),
    faults: names<FaultChoice>({ option: '--faults', value: raw.faults, fallback: defaultFaults, valid: faultChoices }),
    trigger: orDefault(null, problems, () => (raw.trigger === undefined ? null : readTrigger(String(raw.trigger)))),
    budgetCents: whole({
      option: '--budget-cents',
      value: raw.budgetCents,
      fallback: defaultBudgetCents,
      min: 1,
      max: mostBudgetCents,
    }),
    timeScale: readTimeScale(raw.timeScale, problems),
  };
  problems.push(...contradictions(options));
  if (problems.length > 0) throw new UsageError(problems);
  return options;
}

/** Defects are part of the target's name, so that a plan, its replay and the ledger carry them. */
function readTarget({ target = defaultTarget, defect = [] }: RawPlanOptions): string {
  const parsed = parseTarget(String(target));
  if (defect.length === 0) return parsed.text;
  if (parsed.kind !== 'lab') throw new UsageError([`--defect is for --target lab; got --target ${parsed.text}`]);
  return parseTarget(`lab:${[...new Set([...parsed.defects, ...defect])].join(',')}`).text;
}

function contradictions(options: PlanOptions): readonly string[] {
  const problems: string[] = [];
  if (options.faults.includes('none') && options.faults.length > 1) {
    problems.push(
      `--faults none is the control arm and cannot be combined with other faults; got ${options.faults.join(',')}`,
    );
  }
  const ofProvider = providerFaultProblems(options.faults, options.adapters).map((problem) => `--faults ${problem}`);
  return [
    ...problems,
    ...workloadProblems(options.environment, options.workloads),
    ...ofProvider,
    ...triggerProblems(options),
  ];
}

interface NameList<Name extends string> {
  readonly option: string;
  readonly value: RawValue;
  readonly fallback: readonly Name[];
  readonly valid: readonly Name[];
  readonly problems: string[];
}

/** In the order of the valid names, so that `B1,A1` and `A1,B1` are the same plan. */
function readNames<Name extends string>({ option, value, fallback, valid, problems }: NameList<Name>): readonly Name[] {
  if (value === undefined) return fallback;
  const given = String(value)
    .split(',')
    .map((name) => name.trim());
  for (const name of new Set(given)) {
    if (valid.some((each) => each === name)) continue;
    const hint = nearestName(name, valid);
    const got = name === '' ? 'got an empty name' : `got "${name}"${hint === null ? '' : ` (did you mean ${hint}?)`}`;
    problems.push(`${option} takes ${valid.join(', ')}; ${got}`);
  }
  return valid.filter((name) => given.includes(name));
}

interface WholeNumber {
  readonly option: string;
  readonly value: RawValue;
  readonly fallback: number | null;
  readonly min: number;
  readonly max: number;
  readonly problems: string[];
}

function readWhole({ option, value, fallback, min, max, problems }: WholeNumber): number {
  if (value === undefined && fallback !== null) return fallback;
  const number = /^\d+$/.test(String(value).trim()) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  const got = value === undefined ? 'it is missing' : `got "${value}"`;
  problems.push(`${option} takes a whole number from ${min} to ${max}; ${got}`);
  return min;
}

function readTimeScale(value: RawValue, problems: string[]): number {
  if (value === undefined) return planDefaults.timeScale;
  const number = /^\d*\.?\d+$/.test(String(value).trim()) ? Number(value) : Number.NaN;
  if (number > 0 && number <= 1) return number;
  problems.push(`--time-scale takes a number above 0 and up to 1, for example 0.05; got "${value}"`);
  return planDefaults.timeScale;
}

/** What `read` gives; when it refuses what was typed, its problems are kept and the default stands in. */
function orDefault<T>(fallback: T, problems: string[], read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    problems.push(...error.problems);
    return fallback;
  }
}
