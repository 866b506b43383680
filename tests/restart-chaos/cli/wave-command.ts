/** A wave: `tsx main.ts --seed 42`, or one task of an earlier one again: `--replay <wave>/<task>`. */
import { UsageError } from '../model/errors.ts';
import type { ExitCode } from '../model/exit-code.ts';
import type { RunOptions } from '../model/options.ts';
import type { WavePlan } from '../model/plan.ts';
import { needingTap } from '../plan/needs-tap.ts';
import { choosePlan } from './choose-plan.ts';
import { readRunOptions, type RawFlags } from './raw-flags.ts';
import { runPlan } from './run-plan.ts';
import { runWithControl } from './run-with-control.ts';

/** Plans, runs, grades and reports one wave, or two with `--control`; the exit code is the worse of theirs. */
export async function waveCommand(flags: RawFlags): Promise<ExitCode> {
  const options = readRunOptions(flags);
  const plan = choosePlan(flags);
  refuseWithoutTap(plan, options);
  if (flags.control === true) return runWithControl(plan, options);
  return (await runPlan(plan, options, null)).exitCode;
}

function refuseWithoutTap(plan: WavePlan, { tap }: RunOptions): void {
  const faults = tap ? [] : needingTap(plan);
  if (faults.length === 0) return;
  throw new UsageError([
    `--no-tap: faults at a commit or of the database connection need the tap: ${faults.join(', ')}`,
  ]);
}
