/** `plan`, and `--dry-run`: what a seed stands for. Starts nothing and invents no numbers. */
import { exitCode, type ExitCode } from '../model/exit-code.ts';
import { describePlan } from '../plan/describe-plan.ts';
import { planText } from '../plan/plan-text.ts';
import { choosePlan } from './choose-plan.ts';
import { refuseControl, type RawFlags } from './raw-flags.ts';

/** Prints the plan: for people, or with --json the bytes of plan.json. */
export function planCommand(flags: RawFlags): ExitCode {
  refuseControl(flags);
  const plan = choosePlan(flags);
  process.stdout.write(flags.json === true ? planText(plan) : `${describePlan(plan).join('\n')}\n`);
  return exitCode.passed;
}
