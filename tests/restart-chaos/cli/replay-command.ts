/** `--replay <wave>/<task>`: one task again, with every fault that crossed it, at the offsets of its own record. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultsAt } from '../evidence/store.ts';
import { wavePaths } from '../evidence/wave-paths.ts';
import { readWave } from '../evidence/wave-reader.ts';
import { errorText, UsageError } from '../model/errors.ts';
import type { ExitCode } from '../model/exit-code.ts';
import { parseTaskReference, type TaskId } from '../model/ids.ts';
import { invariant } from '../model/invariant.ts';
import type { WavePlan } from '../model/plan.ts';
import { readPlan } from '../plan/read-plan.ts';
import { replayPlan, type RecordedCrossing } from '../plan/replay-plan.ts';
import { gradeStoredWave } from './grade-stored-wave.ts';
import { readRunOptions, resultsDirectoryOf, type RawFlags } from './raw-flags.ts';
import { runPlan } from './run-plan.ts';

/** Throws UsageError when there is no such wave or task, or its plan is damaged. */
export async function replayCommand(flags: RawFlags): Promise<ExitCode> {
  const options = readRunOptions(flags);
  return runPlan(planOfReplay(flags), options);
}

/** The plan of the replay that these flags ask for. */
export function planOfReplay(flags: RawFlags): WavePlan {
  invariant(flags.replay !== undefined, 'a replay was asked for');
  const { wave, task } = parseTaskReference(flags.replay);
  const directory = join(resultsAt(resultsDirectoryOf(flags)).waves, wave);
  const saved = savedPlan(directory, wave);
  return replayPlan({ saved, wave, task, crossings: crossingsOf(directory, saved, task) });
}

function savedPlan(directory: string, wave: string): WavePlan {
  const path = wavePaths(directory).plan;
  try {
    return readPlan(readFileSync(path, 'utf8'), path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError([
      `--replay: wave ${wave} has no plan that can be read (${errorText(error)}); "waves" lists what there is`,
    ]);
  }
}

/** The faults that crossed the task, with the parameters under which they were planned. */
function crossingsOf(directory: string, saved: WavePlan, task: TaskId): readonly RecordedCrossing[] {
  const record = gradeStoredWave(readWave(directory));
  const grade = record.tasks.find(({ plan }) => plan.id === task)?.grade;
  return (grade?.crossedBy ?? []).map(({ ref, kind, offsetMs }) => {
    const requestedBy = record.faults.find((fault) => fault.ref === ref)?.requestedBy;
    const planned = saved.tasks.find(({ id }) => id === requestedBy)?.faults.find((fault) => fault.kind === kind);
    invariant(planned !== undefined, `fault ${ref} of the record is in the plan`);
    return { kind, parameters: planned.parameters, offsetMs };
  });
}
