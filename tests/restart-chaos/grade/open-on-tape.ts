/** Rows of a task that are not finished with at rest, as far as the tape knows. */
import type { TaskFacts } from '../model/facts.ts';
import { historiesOf, possibleStatuses } from './histories.ts';
import { isFinishedRow, type RowKind } from './tape-tables.ts';
import { watchEndMs } from './timeline.ts';

export interface OpenRow {
  readonly kind: RowKind;
  readonly id: string;
  readonly status: string;
}

/**
 * Runs, wakes, leases and recovery actions that were surely open when the watch ended; none without a tape. The issue
 * itself is left to R1.
 */
export function openOnTape(facts: TaskFacts): readonly OpenRow[] {
  const endMs = watchEndMs(facts);
  return [...(historiesOf(facts)?.rows.values() ?? [])].flatMap((row) => {
    const [status, ...others] = possibleStatuses(row, endMs, endMs) ?? [];
    if (row.kind === 'issue' || status === undefined || others.length > 0 || isFinishedRow(row.kind, status)) return [];
    return [{ kind: row.kind, id: row.id, status }];
  });
}
