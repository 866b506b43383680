/** Flags of a wave that `explore` has no use for: refused, because they would be ignored in silence otherwise. */
import { UsageError } from '../../model/errors.ts';
import type { RawFlags } from '../raw-flags.ts';

const instead: readonly (readonly [string, string])[] = [
  ['tasks', 'each crash point is a task of its own'],
  [
    'concurrency',
    'tasks run one at a time, so that each is struck alone; --planes says how many waves run side by side',
  ],
  ['workloads', 'use --workload with one workload'],
  ['adapters', 'use --adapter with one adapter'],
  ['faults', 'use --fault with one fault'],
  ['defect', 'name it in the target: --target lab:<defect>'],
  ['trigger', 'the triggers are the commits of the task'],
  ['tap', 'there are no commits to be seen without the tap'],
  ['env', 'explorations run with --env local only'],
  ['daytonaImage', 'explorations run with --env local only'],
  ['daytonaCpu', 'explorations run with --env local only'],
  ['replay', 'a point is repeated with --replay and without explore'],
  ['control', 'each exploration records its task without faults, and labels what that shows too'],
  ['plan', 'the plans are drawn from the recorded commits'],
  ['dryRun', 'what there is to explore is only known when it is recorded'],
  ['testHook', 'a broken harness explores nothing'],
];

/** Throws UsageError with every flag that does not belong here. */
export function refuseWaveFlags(flags: RawFlags): void {
  const given = flags as Readonly<Record<string, unknown>>;
  const problems = instead
    .filter(([name]) => given[name] !== undefined && !isDefault(name, given[name]))
    .map(([name, hint]) => `explore takes no ${flagText(name)}: ${hint}`);
  if (problems.length > 0) throw new UsageError(problems);
}

/** A flag that is switched off with `--no-…` is true when nobody gave it, and `local` is what there is anyway. */
function isDefault(name: string, value: unknown): boolean {
  return (name === 'tap' && value === true) || (name === 'env' && value === 'local');
}

function flagText(name: string): string {
  const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return name === 'tap' ? '--no-tap' : `--${flag}`;
}
