/** What of a task is still there, from its rows. Pure: the same rows give the same answer. */
import type { Leftover } from '../../model/evidence.ts';
import type { TaskTruth, TruthIssue } from '../../model/truth.ts';
import { isFinished } from './statuses.ts';

/**
 * Everything of the task that a clean rest must not have: open runs, wakes, leases, operations and recovery actions,
 * locks that name a finished run, agents marked running.
 */
export function leftoversOf(truth: TaskTruth): readonly Leftover[] {
  const runStatus = new Map(truth.runs.map((run) => [run.id, run.status]));
  return [
    ...truth.runs
      .filter((run) => !isFinished('run', run.status))
      .map((run) =>
        left('run', run.id, [run.status, run.errorCode, run.scheduledRetryAt && `due ${run.scheduledRetryAt}`]),
      ),
    ...truth.wakes
      .filter((wake) => !isFinished('wake', wake.status))
      .map((wake) => left('wake', wake.id, [wake.status, wake.reason, wake.runId && `run ${wake.runId}`])),
    ...truth.leases
      .filter((lease) => !isFinished('lease', lease.status))
      .map((lease) => left('lease', lease.id, [lease.status, ofRun(lease.runId, runStatus), lease.note])),
    ...truth.operations
      .filter((operation) => !isFinished('operation', operation.status))
      .map((operation) =>
        left('operation', operation.id, [operation.status, ofRun(operation.runId, runStatus), operation.note]),
      ),
    ...truth.issues.flatMap((issue) => staleLocks(issue, runStatus)),
    ...truth.recoveryActions
      .filter((action) => !isFinished('recoveryAction', action.status))
      .map((action) => left('recovery_action', action.id, [action.status, action.note])),
    ...truth.agents
      .filter((agent) => agent.status === 'running')
      .map((agent) => left('agent', agent.id, ['running', runningBehind(agent.id, truth)])),
  ];
}

/**
 * Whether nothing of the task can move by itself any more: no leftover, and no lock at all, not even one that names a
 * run that is not finished. Says nothing about success.
 */
export function isSettled(truth: TaskTruth): boolean {
  const locked = truth.issues.some((issue) => issue.checkoutRunId !== null || issue.executionRunId !== null);
  return truth.issues.length > 0 && !locked && leftoversOf(truth).length === 0;
}

/** A lock of an unfinished run is that run's, and the run is listed itself. */
function staleLocks(issue: TruthIssue, runStatus: ReadonlyMap<string, string>): readonly Leftover[] {
  const named = [
    ['checkout', issue.checkoutRunId],
    ['execution lock', issue.executionRunId],
  ] as const;
  return named.flatMap(([what, runId]) => {
    if (runId === null) return [];
    const status = runStatus.get(runId);
    if (status !== undefined && !isFinished('run', status)) return [];
    return [left('lock', issue.id, [`${what} names run ${runId}`, status ?? 'which is not a run of this task'])];
  });
}

function ofRun(runId: string | null, runStatus: ReadonlyMap<string, string>): string | null {
  return runId === null ? null : `run ${runId} ${runStatus.get(runId) ?? 'of another task'}`;
}

function runningBehind(agentId: string, truth: TaskTruth): string {
  const running = truth.runs.filter((run) => run.agentId === agentId && run.status === 'running');
  return running.length === 0 ? 'without a running run' : `with run ${running.map((run) => run.id).join(', ')}`;
}

function left(kind: Leftover['kind'], id: string, notes: readonly (string | null | undefined)[]): Leftover {
  return { kind, id, note: notes.filter((note) => note).join(', ') };
}
