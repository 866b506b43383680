/** A wave: `tsx main.ts --seed 42`, or one task of an earlier one again: `--replay <wave>/<task>`. */
import type { ExitCode } from '../model/exit-code.ts';
import { choosePlan } from './choose-plan.ts';
import { readRunOptions, type RawFlags } from './raw-flags.ts';
import { runPlan } from './run-plan.ts';

/** Plans, runs, grades and reports one wave; the exit code is the wave's. */
export async function waveCommand(flags: RawFlags): Promise<ExitCode> {
  const options = readRunOptions(flags);
  return runPlan(choosePlan(flags), options);
}
