/** A task that went well, for the tables of tests: each row changes the one thing it is about. */
import type { BenchEvidence, OracleCommandResult, OracleEvidence } from '../model/evidence.ts';
import type { Beacon, EventBody, WaveEvent } from '../model/event.ts';
import type { TaskFacts } from '../model/facts.ts';
import { numbersFor } from '../model/numbers.ts';
import { plainTask } from '../model/plan.testing.ts';
import type { TaskPlan, WorkloadId } from '../model/plan.ts';
import { plainComment, plainIssue, plainRun } from '../model/view.testing.ts';
import type { CommentView, DocumentView, IssueView, RunView } from '../model/view.ts';

export const exampleNonce = '0a1b2c3d4e5f';
export const exampleWorktree = '/run/worktrees/cha-4';

/** The plan of a task with the given workload. */
export function examplePlan(workload: WorkloadId): TaskPlan {
  return plainTask({ workload, nonce: exampleNonce });
}

/** Done, in its own worktree, with nothing else on record. */
export function exampleFacts(workload: WorkloadId, changes: Partial<TaskFacts> = {}): TaskFacts {
  return {
    plan: examplePlan(workload),
    numbers: numbersFor(1),
    dialect: 'paperclip-2026-09',
    timeline: [exampleEvent(2_000, exampleBeacon('activity'))],
    evidenceGaps: null,
    faults: [],
    issue: exampleIssue(),
    runs: [],
    comments: [],
    documents: [],
    truth: { before: null, after: null, rest: null },
    manifests: { before: null, after: null, rest: null },
    sweep: null,
    oracle: exampleOracle(),
    tape: null,
    otherWorktrees: { t02: '/run/worktrees/cha-5' },
    ...changes,
  };
}

export function exampleIssue(changes: Partial<IssueView> = {}): IssueView {
  return plainIssue({ status: 'done', workspaceCwd: exampleWorktree, ...changes });
}

export function exampleOracle(changes: Partial<OracleEvidence> = {}): OracleEvidence {
  return {
    schema: 1,
    worktree: exampleWorktree,
    commands: {},
    files: {},
    originals: {},
    bench: null,
    errors: [],
    ...changes,
  };
}

export function exampleDocument(key: string, body: string, revision = 1): DocumentView {
  return { key, revision, body, updatedAt: '2026-11-30T16:45:50.000Z' };
}

export function exampleComment(changes: Partial<CommentView> = {}): CommentView {
  const body = `Please add STEER-${exampleNonce}`;
  const written = { authorType: 'user', createdByRunId: null, createdAt: '2026-11-30T16:45:30.000Z' };
  return plainComment({ id: 'comment-1', body, ...written, ...changes });
}

export function exampleRun(startedAt: string | null, changes: Partial<RunView> = {}): RunView {
  return plainRun({
    status: 'succeeded',
    createdAt: startedAt ?? '2026-11-30T16:45:00.000Z',
    startedAt,
    ...changes,
  });
}

export function exampleEvent(atMs: number, body: EventBody): WaveEvent {
  return { seq: atMs, atMs, wall: '2026-11-30T16:45:12.000Z', ...body };
}

export function exampleBeacon(moment: Beacon['moment'], changes: Partial<Beacon> = {}): EventBody {
  const process = { pid: 4711, startTime: '123456' };
  const beacon: Beacon = { moment, runId: 'run-1', process, cwd: exampleWorktree, detail: '', ...changes };
  return { kind: 'beacon', task: 't01', beacon };
}

export function exampleTestRun(changes: Partial<OracleCommandResult> = {}): OracleCommandResult {
  return {
    argv: ['python3', '-I', '-B', '-m', 'unittest'],
    sandbox: 'bubblewrap',
    exitCode: 0,
    signal: null,
    outcome: 'exited',
    durationMs: 180,
    output: '..\n----\nRan 2 tests in 0.004s\n\nOK\n',
    ...changes,
  };
}

/** A bench of four minutes that was seen every ten seconds. */
export function exampleBench(changes: Partial<BenchEvidence> = {}): BenchEvidence {
  const progress = Array.from({ length: 24 }, (_, step) => ({
    atMs: 5_000 + (step + 1) * 10_000,
    value: step + 1,
    valid: true,
  }));
  return { progress, record: { value: 123_456_789, startedAtMs: 5_000, endedAtMs: 245_100, valid: true }, ...changes };
}
