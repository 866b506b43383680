/**
 * The two files bench.sh keeps in a worktree. Reading proves nothing: the text has to go through the signer. The
 * worktree is an agent's, and anything may lie in their place.
 * Trap: the progress file is rewritten in place while it is read, so it is read until two readings agree.
 */
import type { TaskId } from '../model/ids.ts';
import { readOwnFile } from '../process/read-own-file.ts';

export interface BenchFiles {
  /** Text of the progress file; null when it is not there. */
  readonly progress: string | null;
  /** Text of the completion record; null when it is not there, or not written yet. */
  readonly record: string | null;
}

// The writer writes once in a step; two disagreeing pairs in a row would already be a wonder.
const readingsMax = 5;
// bench.sh writes one kibibyte each; this only keeps an agent from filling our memory.
const bytesMax = 64 * 1024;

/**
 * Reads what the bench of a task has written so far. Throws HarnessError('evidence-unreadable') when something else
 * than a small regular file lies there.
 */
export async function readBench(worktree: string, task: TaskId): Promise<BenchFiles> {
  const [progress, record] = await Promise.all([
    readSteady(worktree, `chaos/bench-${task}.progress.json`),
    readSteady(worktree, `chaos/bench-${task}.record.json`),
  ]);
  return { progress, record };
}

async function readSteady(worktree: string, path: string): Promise<string | null> {
  let previous = await readText(worktree, path);
  for (let reading = 1; reading < readingsMax; reading += 1) {
    const next = await readText(worktree, path);
    if (next === previous) break;
    previous = next;
  }
  return previous;
}

async function readText(worktree: string, path: string): Promise<string | null> {
  const text = (await readOwnFile(worktree, path, bytesMax))?.toString('utf8') ?? '';
  return text === '' ? null : text;
}
