/** The parts of a task's facts, each as it looks when all is well; `changes` says what differs. */
import type { Manifest, Sweep } from '../model/evidence.ts';
import type { TaskTruth, TruthDurable, TruthRun, TruthWake } from '../model/truth.ts';
import { plainIssue, plainRun } from '../model/view.testing.ts';
import type { IssueView, RunView } from '../model/view.ts';

/** When the usual task rests. */
export const restMs = 100_000;

/** Wall time at a moment of the wave's clock, which began at 12:00:00 UTC. */
export function wallAt(atMs: number): string {
  const total = Math.round(atMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const ms = String(total % 1_000).padStart(3, '0');
  const rest = Math.floor(total / 1_000);
  return `2026-11-30T${two(12 + Math.floor(rest / 3_600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}.${ms}Z`;
}

export function issueView(status: string, changes: Partial<IssueView> = {}): IssueView {
  return plainIssue({ status, workspaceCwd: '/w/t01', updatedAt: wallAt(0), ...changes });
}

export function runView(changes: Partial<RunView> = {}): RunView {
  const times = { createdAt: wallAt(1_200), startedAt: wallAt(1_400) };
  return plainRun({ id: 'run-a', ...times, wakeReason: 'issue_assigned', ...changes });
}

export function truthRun(changes: Partial<TruthRun> = {}): TruthRun {
  return {
    id: 'run-a',
    issueId: 'issue-1',
    agentId: 'agent-1',
    status: 'succeeded',
    errorCode: null,
    createdAt: wallAt(1_200),
    startedAt: wallAt(1_400),
    finishedAt: wallAt(89_500),
    updatedAt: wallAt(89_500),
    retryOfRunId: null,
    scheduledRetryAt: null,
    wakeupRequestId: 'wake-1',
    wakeReason: 'issue_assigned',
    wakeCommentIds: [],
    processPid: 101,
    processGroupId: 101,
    controllerLeaseExpiresAt: null,
    outputSeq: 9,
    lastOutputAt: null,
    ...changes,
  };
}

export function truthWake(changes: Partial<TruthWake> = {}): TruthWake {
  return {
    id: 'wake-9',
    issueId: 'issue-1',
    agentId: 'agent-1',
    status: 'deferred_issue_execution',
    reason: 'issue_commented',
    runId: null,
    requestedAt: wallAt(30_000),
    claimedAt: null,
    finishedAt: null,
    ...changes,
  };
}

export function durable(changes: Partial<TruthDurable> = {}): TruthDurable {
  return { kind: 'comment', id: 'c1', hash: 'hash-1', label: 'hello', ...changes };
}

export function truth(changes: Partial<TaskTruth> = {}): TaskTruth {
  return {
    schema: 1,
    issues: [],
    runs: [truthRun()],
    wakes: [],
    leases: [],
    operations: [],
    recoveryActions: [],
    agents: [],
    durables: [durable(), durable({ kind: 'document', id: 'd1', hash: null, label: 'brief' })],
    ...changes,
  };
}

export function manifest(moment: Manifest['moment'], paths: readonly string[] = ['README.md', 'notes.txt']): Manifest {
  const files = paths.map((path) => ({ path, kind: 'file' as const, bytes: 3, sha256: `sha of ${path}` }));
  return { schema: 1, moment, root: '/w/t01', takenAtMs: 0, files };
}

export function sweep(changes: Partial<Sweep> = {}): Sweep {
  return { schema: 1, takenAtMs: restMs, leftovers: [], errors: [], processesChecked: [], ...changes };
}
