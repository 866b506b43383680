/**
 * When a run was active. The tape's word where it saw the whole life of the run: what the database really held, between
 * the answer to one commit and the question of the next. Else the row's own times, which the plane wrote: a tape that
 * missed something may have missed the end of a run.
 */
import type { TaskFacts } from '../model/facts.ts';
import { historiesOf, type RowHistory } from './histories.ts';
import { activeWindow, type RunRow } from './run-rows.ts';
import { isActiveRun, isFinishedRow } from './tape-tables.ts';
import type { TimeWindow } from './time-windows.ts';
import { watchEndMs } from './timeline.ts';

/** The windows in which each run was surely active, by id; none for a run that never was. */
export function activeWindows(facts: TaskFacts, rows: readonly RunRow[]): ReadonlyMap<string, readonly TimeWindow[]> {
  const histories = historiesOf(facts);
  const namesEveryRun = histories?.hidden.every(({ kind }) => kind !== 'run') === true;
  const endMs = watchEndMs(facts);
  return new Map(
    rows.map((row) => {
      const history = namesEveryRun ? histories.rows.get(row.id) : undefined;
      const isWhole = history !== undefined && !missedEnd(history, row);
      return [row.id, (isWhole ? windowsOnTape(history, endMs) : null) ?? windowOfRow(row, endMs)];
    }),
  );
}

function missedEnd({ changes }: RowHistory, row: RunRow): boolean {
  const last = changes.at(-1)?.status ?? null;
  return last !== null && isActiveRun(last) && isFinishedRow('run', row.status);
}

/** Null when something about the run's life is not certain. */
function windowsOnTape({ changes }: RowHistory, endMs: number): readonly TimeWindow[] | null {
  if (changes.some(({ status, isCertain }) => status === null || !isCertain)) return null;
  return changes.flatMap(({ status, atMs }, index) => {
    const toMs = Math.min(changes[index + 1]?.askedAtMs ?? endMs, endMs);
    return status !== null && isActiveRun(status) && toMs > atMs ? [{ fromMs: atMs, toMs }] : [];
  });
}

function windowOfRow(row: RunRow, endMs: number): readonly TimeWindow[] {
  const window = activeWindow(row, endMs);
  return window === null ? [] : [window];
}
