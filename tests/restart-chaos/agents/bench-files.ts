/**
 * The two files bench.sh keeps in a worktree. Reading proves nothing: the text has to go through the signer.
 * Trap: the progress file is rewritten in place while it is read, so it is read until two readings agree.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TaskId } from '../model/ids.ts';

export interface BenchFiles {
  /** Text of the progress file; null when it is not there. */
  readonly progress: string | null;
  /** Text of the completion record; null when it is not there, or not written yet. */
  readonly record: string | null;
}

// The writer writes once in a step; two disagreeing pairs in a row would already be a wonder.
const readingsMax = 5;

/** Reads what the bench of a task has written so far. Throws only when a file is there and cannot be read. */
export async function readBench(worktree: string, task: TaskId): Promise<BenchFiles> {
  const [progress, record] = await Promise.all([
    readSteady(join(worktree, 'chaos', `bench-${task}.progress.json`)),
    readSteady(join(worktree, 'chaos', `bench-${task}.record.json`)),
  ]);
  return { progress, record };
}

async function readSteady(path: string): Promise<string | null> {
  let previous = await readIfThere(path);
  for (let reading = 1; reading < readingsMax; reading += 1) {
    const next = await readIfThere(path);
    if (next === previous) break;
    previous = next;
  }
  return previous;
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    const text = await readFile(path, 'utf8');
    return text === '' ? null : text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
