/** The runs of a task in one form, whether the database or only the board's view of them could be read. */
import type { TaskFacts } from '../model/facts.ts';
import { isTerminalRunStatus, type RunView } from '../model/view.ts';
import type { TruthRun } from '../model/truth.ts';
import type { TimeWindow } from './time-windows.ts';
import { waveClock, type WaveClock } from './wall-time.ts';

/** Times on the wave's clock; null when the plane gives none or the wall clock is unusable. */
export interface RunRow {
  readonly id: string;
  /** Null when the source does not say: it is then the task's own issue. */
  readonly issueId: string | null;
  readonly status: string;
  readonly createdMs: number | null;
  readonly startedMs: number | null;
  readonly finishedMs: number | null;
  readonly retryOfRunId: string | null;
  readonly wakeupRequestId: string | null;
  readonly wakeCommentIds: readonly string[];
}

/** The rows at rest, oldest first, the database's before the board's; null when neither could be read. */
export function runRows(facts: TaskFacts): readonly RunRow[] | null {
  const clock = waveClock(facts.timeline);
  const rows =
    facts.truth.rest?.runs.map((run) => fromTruth(run, clock)) ?? facts.runs?.map((run) => fromView(run, clock));
  return rows?.sort((left, right) => (left.createdMs ?? 0) - (right.createdMs ?? 0)) ?? null;
}

function fromTruth(run: TruthRun, clock: WaveClock): RunRow {
  return {
    ...timesOf(run, clock),
    id: run.id,
    issueId: run.issueId,
    status: run.status,
    retryOfRunId: run.retryOfRunId,
    wakeupRequestId: run.wakeupRequestId,
    wakeCommentIds: run.wakeCommentIds,
  };
}

function fromView(run: RunView, clock: WaveClock): RunRow {
  return {
    ...timesOf(run, clock),
    id: run.id,
    issueId: null,
    status: run.status,
    retryOfRunId: run.retryOfRunId,
    wakeupRequestId: null,
    wakeCommentIds: run.wakeCommentIds,
  };
}

function timesOf(
  run: { readonly createdAt: string; readonly startedAt: string | null; readonly finishedAt: string | null },
  clock: WaveClock,
): Pick<RunRow, 'createdMs' | 'startedMs' | 'finishedMs'> {
  return {
    createdMs: clock.toWaveMs(run.createdAt),
    startedMs: clock.toWaveMs(run.startedAt),
    finishedMs: clock.toWaveMs(run.finishedAt),
  };
}

/**
 * When the run was active, that is claimed and not final; null when it never was. A final row that does not say when
 * it ended was active for no known time: its last write may be a clean-up long after the end.
 */
export function activeWindow(row: RunRow, endMs: number): TimeWindow | null {
  if (row.startedMs === null) return null;
  if (row.finishedMs === null && isTerminalRunStatus(row.status)) return null;
  const toMs = row.finishedMs ?? endMs;
  return { fromMs: row.startedMs, toMs: Math.max(row.startedMs, toMs) };
}

/** Whether two rows belong to one issue; a row whose issue is not told belongs to the task's own. */
export function sameIssue(left: RunRow, right: RunRow): boolean {
  return left.issueId === null || right.issueId === null || left.issueId === right.issueId;
}
