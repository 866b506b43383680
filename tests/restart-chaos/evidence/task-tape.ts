/** The part of a wave's tape that concerns one task. Pure. */
import type { TaskId } from '../model/ids.ts';
import { hidesStatusChange, type WriteTransaction } from '../model/tape.ts';

/**
 * Transactions of the task, in order, and those of any that changed rows which nobody can name: these may have
 * been the task's, and whoever reads its histories must know that there are such.
 */
export function transactionsOfTask(
  transactions: readonly WriteTransaction[],
  task: TaskId,
): readonly WriteTransaction[] {
  return transactions.filter(({ tasks, statements }) => tasks.includes(task) || statements.some(hidesStatusChange));
}

/** The lines of a file that holds these. The first one carries the schema of the whole file. */
export function tapeText(transactions: readonly WriteTransaction[]): string {
  return transactions
    .map((transaction, index) => `${JSON.stringify(index === 0 ? { schema: 1, ...transaction } : transaction)}\n`)
    .join('');
}
