/**
 * What is kept of a task when it came to rest: the plane's own answers as they are, the database rows, the files,
 * what is left running, and what its oracle needs. Each part stands alone: one that cannot be read is an event and
 * leaves the rules that need it unknown.
 */
import { readDumps } from '../board/read-dumps.ts';
import { dumpNames } from '../model/dump.ts';
import { errorText } from '../model/errors.ts';
import { collectOracle } from './collect-oracle.ts';
import { collectSweep } from './collect-sweep.ts';
import type { OpenTask } from './open-task.ts';
import { snapshotTask } from './snapshot.ts';
import type { Stage } from './stage.ts';

/** Collects everything of a task at rest. Never throws for something that could not be read. */
export async function collectTask(stage: Stage, task: OpenTask): Promise<void> {
  task.restedAtMs = stage.clock.nowMs();
  const { bundle } = task;
  await part(stage, task, 'sweep', async () => bundle.writeSweep(await collectSweep(stage, task)));
  await snapshotTask(stage, task, 'rest');
  await part(stage, task, 'oracle', async () => bundle.writeOracle(await collectOracle(stage, task)));
  const takenAtMs = stage.clock.nowMs();
  const dumps = await readDumps(stage.client, task.issueId);
  for (const name of dumpNames) {
    await part(stage, task, name, async () => {
      bundle.writeDump(name, takenAtMs, dumps[name]);
      if (dumps[name].error !== null) throw new Error(dumps[name].error);
    });
  }
}

async function part(stage: Stage, task: OpenTask, what: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
    stage.emit({ kind: 'collected', task: task.plan.id, what, ok: true, detail: '' });
  } catch (error) {
    stage.emit({ kind: 'collected', task: task.plan.id, what, ok: false, detail: errorText(error) });
  }
}
