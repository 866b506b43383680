/**
 * The state of a task at a fixed moment: its files and its database rows, taken before the first fault that crosses
 * it, after the plane is ready again, and at rest. A snapshot that fails costs the rules that need it their verdict
 * and nothing else.
 */
import { stat } from 'node:fs/promises';
import { errorText } from '../model/errors.ts';
import type { Manifest, SnapshotMoment } from '../model/evidence.ts';
import { takeManifest } from '../evidence/manifest.ts';
import { readTaskTruth } from '../plane/paperclip/truth.ts';
import { worktreeOf, type OpenTask } from './open-task.ts';
import type { Stage } from './stage.ts';

/** Takes and stores one snapshot; the first of a moment stands, later ones are not taken. */
export async function snapshotTask(stage: Stage, task: OpenTask, moment: SnapshotMoment): Promise<void> {
  if (task.snapshots.has(moment)) return;
  task.snapshots.add(moment);
  const root = worktreeOf(task);
  // Before the plane made the worktree there is nothing of the task that a fault could take.
  const files = root === null ? null : await storeManifest(stage, task, moment, root);
  const problems = [files, await storeTruth(stage, task, moment)].filter((problem) => problem !== null);
  const ok = problems.length === 0;
  const taken = root === null ? 'rows; there was no worktree yet' : 'files and rows';
  stage.emit({ kind: 'snapshot', task: task.plan.id, moment, ok, detail: ok ? taken : problems.join('; ') });
}

async function storeManifest(
  stage: Stage,
  task: OpenTask,
  moment: SnapshotMoment,
  root: string,
): Promise<string | null> {
  try {
    task.bundle.writeManifest(await manifestOf(root, moment, stage.clock.nowMs()));
    return null;
  } catch (error) {
    return `files of ${root}: ${errorText(error)}`;
  }
}

/** A worktree that is gone has no files: that is what R2 must see, not a snapshot that failed. */
async function manifestOf(root: string, moment: SnapshotMoment, takenAtMs: number): Promise<Manifest> {
  const gone = await stat(root).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
  return gone ? { schema: 1, moment, root, takenAtMs, files: [] } : takeManifest(root, moment, takenAtMs);
}

async function storeTruth(stage: Stage, task: OpenTask, moment: SnapshotMoment): Promise<string | null> {
  try {
    const truth = await readTaskTruth(stage.truth, [task.issueId]);
    task.bundle.writeTruth(moment, truth);
    return null;
  } catch (error) {
    return `rows: ${errorText(error)}`;
  }
}
