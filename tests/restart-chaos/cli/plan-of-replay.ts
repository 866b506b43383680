/** `--replay <wave>/<task>`: one task again, with every fault that crossed it, at the moments of its own record. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultsAt } from '../evidence/store.ts';
import { wavePaths } from '../evidence/wave-paths.ts';
import { readWave } from '../evidence/wave-reader.ts';
import { errorText, UsageError } from '../model/errors.ts';
import { parseTaskReference, type TaskId } from '../model/ids.ts';
import { invariant } from '../model/invariant.ts';
import type { WavePlan } from '../model/plan.ts';
import { readPlan } from '../plan/read-plan.ts';
import { replayPlan, type RecordedCrossing } from '../plan/replay-plan.ts';
import { gradeStoredWave } from './grade-stored-wave.ts';
import { refusePlanFlags, resultsDirectoryOf, type RawFlags } from './raw-flags.ts';

/** Throws UsageError when there is no such wave or task, its plan is damaged, or a flag would change the plan. */
export function planOfReplay(flags: RawFlags): WavePlan {
  invariant(flags.replay !== undefined, 'a replay was asked for');
  refusePlanFlags(flags, '--replay');
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

/**
 * The faults that crossed the task, as they were recorded. A task whose own fault never landed gets the faults it asked
 * for: repeating it without any would be a control arm that nobody asked for.
 */
function crossingsOf(directory: string, saved: WavePlan, task: TaskId): readonly RecordedCrossing[] {
  const wave = readWave(directory);
  const crossedBy = gradeStoredWave(wave).tasks.find(({ plan }) => plan.id === task)?.grade.crossedBy ?? [];
  if (crossedBy.length === 0) {
    const asked = saved.tasks.find(({ id }) => id === task)?.faults ?? [];
    return asked.map(({ kind, parameters, trigger }) => ({
      kind,
      parameters,
      trigger,
      requestedBy: task,
      offsetMs: trigger.on === 'time' ? trigger.offsetMs : 0,
    }));
  }
  return crossedBy.map(({ ref, kind, offsetMs }) => {
    const started = wave.events.find((event) => event.kind === 'fault_started' && event.ref === ref);
    invariant(started?.kind === 'fault_started', `the fault ${ref} of a crossing is in the event log`);
    const { parameters, trigger, requestedBy } = started;
    return { kind, parameters, trigger, requestedBy, offsetMs };
  });
}
