/** B5: reads the progress that the signer signed, with the harness's own polls, while the bench runs. */
import { readBench } from '../agents/bench-files.ts';
import type { TaskId } from '../model/ids.ts';
import { worktreeOf, type OpenTask } from './open-task.ts';
import type { Stage } from './stage.ts';

/** Reports progress that grew since the last look. */
export async function watchBench(stage: Stage, task: OpenTask): Promise<void> {
  const worktree = worktreeOf(task);
  if (worktree === null) return;
  const progress = await progressText(worktree, task.plan.id);
  if (progress === null) return;
  const seen = stage.bench.verifyProgress(progress, { task: task.plan.id, nonce: task.plan.nonce });
  if (seen.value === task.benchValue) return;
  task.benchValue = seen.value;
  task.benchProgress.push({ atMs: stage.clock.nowMs(), value: seen.value, valid: seen.valid });
  stage.emit({ kind: 'bench_progress', task: task.plan.id, value: seen.value, valid: seen.valid });
}

/** Null for what cannot be read, too: an agent that puts something else there shows no progress. */
async function progressText(worktree: string, task: TaskId): Promise<string | null> {
  return readBench(worktree, task).then(
    ({ progress }) => progress,
    () => null,
  );
}
