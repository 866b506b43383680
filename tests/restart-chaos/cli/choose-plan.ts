/** Which plan a command line asks for: the one of its seed, one that was saved, or that of a replay. */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { errorText, UsageError } from '../model/errors.ts';
import type { WavePlan } from '../model/plan.ts';
import { checkPlanOptions } from '../plan/check-plan-options.ts';
import { planWave } from '../plan/plan-wave.ts';
import { readPlan } from '../plan/read-plan.ts';
import { remoteProblems } from '../plan/remote-problems.ts';
import { readDaytonaOptions, withDaytonaVariables } from './daytona-flags.ts';
import { refusePlanFlags, type RawFlags } from './raw-flags.ts';
import { planOfReplay } from './plan-of-replay.ts';

/** Throws UsageError for options or a file that make no plan. A seed that is not given is drawn, and shown with the plan. */
export function choosePlan(flags: RawFlags): WavePlan {
  const plan = chosenPlan(flags);
  const { vcpuBudget } = readDaytonaOptions(flags, process.env);
  const problems = remoteProblems(plan, vcpuBudget);
  if (problems.length > 0) throw new UsageError(problems);
  return plan;
}

function chosenPlan(flags: RawFlags): WavePlan {
  if (flags.replay !== undefined) return planOfReplay(flags);
  if (flags.plan !== undefined) {
    refusePlanFlags(flags, '--plan');
    return savedPlan(flags.plan);
  }
  const asked = withDaytonaVariables(flags, process.env);
  return planWave(checkPlanOptions({ ...asked, seed: flags.seed ?? randomInt(1, 1_000_000) }));
}

function savedPlan(path: string): WavePlan {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError([`--plan ${path} cannot be read: ${errorText(error)}`]);
  }
  return readPlan(text, path);
}
