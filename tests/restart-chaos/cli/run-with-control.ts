/** `--control`: a plan twice, first without its faults, so that the wave with them can say what no fault caused. */
import { controlArmOf } from '../model/control-arm.ts';
import { exitCode, type ExitCode } from '../model/exit-code.ts';
import type { RunOptions } from '../model/options.ts';
import type { WavePlan } from '../model/plan.ts';
import { withoutFaults } from '../plan/without-faults.ts';
import { runPlan } from './run-plan.ts';

/**
 * Runs two waves, each with its own evidence; the worse exit code counts. An arm whose harness failed, or that was
 * interrupted, ends it there: a label from it would be worth nothing. Throws UsageError for a plan without faults.
 */
export async function runWithControl(plan: WavePlan, options: RunOptions): Promise<ExitCode> {
  const control = await runPlan(withoutFaults(plan), options, null);
  if (control.record === null || control.exitCode === exitCode.harness) {
    process.stderr.write(
      'restart-chaos: the control arm did not end in order (its reason stands above), so the wave with faults was not started. Run it again, or without --control.\n',
    );
    return exitCode.harness;
  }
  const struck = await runPlan(plan, options, controlArmOf(control.record));
  return worse(control.exitCode, struck.exitCode);
}

const fromWorst: readonly ExitCode[] = [
  exitCode.harness,
  exitCode.refused,
  exitCode.failed,
  exitCode.inconclusive,
  exitCode.passed,
];

/** Of the exit codes of two waves, the one that says more against passing. */
export function worse(one: ExitCode, other: ExitCode): ExitCode {
  return fromWorst.indexOf(one) <= fromWorst.indexOf(other) ? one : other;
}
