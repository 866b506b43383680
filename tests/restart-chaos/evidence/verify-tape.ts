/** Checks the write tape of a wave against what was counted when it was closed, and that of each task against it. */
import { errorText } from '../model/errors.ts';
import type { WaveEvent } from '../model/event.ts';
import type { TaskId } from '../model/ids.ts';
import { gapsOfTape, readTape, tapeCounts } from './tape-reader.ts';
import { transactionsOfTask } from './task-tape.ts';
import type { WavePaths } from './wave-paths.ts';

/** What is wrong with the wave's tape; null when nothing is, also when the wave ran without a tap. */
export function checkTape(path: string, events: readonly WaveEvent[]): string | null {
  return guarded(() => {
    const counts = tapeCounts(events);
    const tape = readTape(path);
    if (tape === null) return counts === null ? null : 'is missing';
    return tape.transactions.length === 0 && tape.tornLines === 0 && counts?.writes !== 0
      ? 'is empty'
      : gapsOfTape(tape, counts);
  });
}

/** What is wrong with the tape in a task's bundle; null when it holds what the wave's tape has of the task. */
export function checkTaskTape(paths: WavePaths, task: TaskId): string | null {
  return guarded(() => {
    const whole = readTape(paths.tape);
    if (whole === null) return null;
    const part = readTape(paths.task(task).tape);
    if (part === null) return 'is missing';
    if (part.tornLines > 0) return `has ${part.tornLines} unreadable lines`;
    const expected = transactionsOfTask(whole.transactions, task).length;
    const { length } = part.transactions;
    if (length === expected) return null;
    return length === 0 ? 'is empty' : `has ${length} transactions, and the tape of the wave ${expected} of this task`;
  });
}

function guarded(check: () => string | null): string | null {
  try {
    return check();
  } catch (error) {
    return errorText(error);
  }
}
