/** R6's evidence: what of a task is still there at rest, in the database and among the processes. */
import { errorText } from '../model/errors.ts';
import type { Leftover, Sweep } from '../model/evidence.ts';
import type { ProcessIdentity } from '../model/fault.ts';
import type { TaskTruth } from '../model/truth.ts';
import { leftoversOf, readTaskTruth } from '../plane/paperclip/truth.ts';
import { isAlive } from '../process/identity.ts';
import type { OpenTask } from './open-task.ts';
import type { Stage } from './stage.ts';

/** A read that fails is listed in the sweep: a blind sweep proves nothing. */
export async function collectSweep(stage: Stage, task: OpenTask): Promise<Sweep> {
  const errors: { read: string; error: string }[] = [];
  let rows: readonly Leftover[] = [];
  try {
    rows = leftoversOf(await readRows(stage, task));
  } catch (error) {
    errors.push({ read: 'database rows', error: errorText(error) });
  }
  const checked = [...task.processes.values()];
  const processes = checked.filter(({ identity }) => isAlive(identity)).map(leftProcess);
  return {
    schema: 1,
    takenAtMs: stage.clock.nowMs(),
    leftovers: [...rows, ...processes],
    errors,
    processesChecked: checked.map(({ identity }) => identity),
  };
}

/** A busy machine can cost one read its time limit; the plane is blamed only when three fail. */
async function readRows(stage: Stage, task: OpenTask): Promise<TaskTruth> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readTaskTruth(stage.truth, [task.issueId]);
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

function leftProcess(process: { readonly identity: ProcessIdentity; readonly runId: string | null }): Leftover {
  return {
    kind: 'process',
    id: String(process.identity.pid),
    note: `agent process of run ${process.runId ?? 'unknown'} still alive`,
  };
}
