import { describe, expect, it } from 'vitest';
import type { TaskTruth, TruthIssue, TruthRow, TruthRun, TruthWake } from '../../model/truth.ts';
import { isTerminalRunStatus } from '../../model/view.ts';
import { isSettled, leftoversOf } from './leftovers.ts';
import { finishedStatuses } from './statuses.ts';

const at = '2026-11-30T17:00:00.000Z';
const issue: TruthIssue = {
  id: 'issue',
  status: 'done',
  parentId: null,
  checkoutRunId: null,
  executionRunId: null,
  executionLockedAt: null,
  updatedAt: at,
};
const run: TruthRun = {
  id: 'run',
  issueId: 'issue',
  agentId: 'agent',
  status: 'succeeded',
  errorCode: null,
  createdAt: at,
  startedAt: at,
  finishedAt: at,
  updatedAt: at,
  retryOfRunId: null,
  scheduledRetryAt: null,
  wakeupRequestId: 'wake',
  wakeReason: 'issue_assigned',
  wakeCommentIds: [],
  processPid: 1,
  processGroupId: 1,
  controllerLeaseExpiresAt: null,
  outputSeq: 1,
  lastOutputAt: at,
};
const wake: TruthWake = {
  id: 'wake',
  issueId: 'issue',
  agentId: 'agent',
  status: 'completed',
  reason: 'issue_assigned',
  runId: 'run',
  requestedAt: at,
  claimedAt: at,
  finishedAt: at,
};
const row = (id: string, status: string, note: string | null = null): TruthRow => ({
  id,
  issueId: 'issue',
  runId: 'run',
  status,
  createdAt: at,
  note,
});
const clean: TaskTruth = {
  schema: 1,
  issues: [issue],
  runs: [run],
  wakes: [wake],
  leases: [row('lease', 'released')],
  operations: [row('operation', 'succeeded')],
  recoveryActions: [row('action', 'resolved')],
  agents: [{ id: 'agent', status: 'idle', pauseReason: null }],
  durables: [],
};

interface Case {
  readonly situation: string;
  readonly change: Partial<TaskTruth>;
  readonly left: readonly string[];
}

const cases: readonly Case[] = [
  { situation: 'everything ended', change: {}, left: [] },
  { situation: 'a run is queued', change: { runs: [{ ...run, status: 'queued' }] }, left: ['run queued'] },
  {
    situation: 'a run is running, and holds the lock and the agent',
    change: {
      issues: [{ ...issue, checkoutRunId: 'run', executionRunId: 'run' }],
      runs: [{ ...run, status: 'running', errorCode: 'process_detached' }],
      agents: [{ id: 'agent', status: 'running', pauseReason: null }],
    },
    left: ['run running, process_detached', 'agent running, with run run'],
  },
  {
    situation: 'a retry is due',
    change: { runs: [{ ...run, status: 'scheduled_retry', scheduledRetryAt: at }] },
    left: [`run scheduled_retry, due ${at}`],
  },
  { situation: 'a run ended in another way', change: { runs: [{ ...run, status: 'interrupted' }] }, left: [] },
  {
    situation: 'a wake is queued',
    change: { wakes: [{ ...wake, status: 'queued' }] },
    left: ['wake queued, issue_assigned, run run'],
  },
  {
    situation: 'a wake is stuck claimed',
    change: { wakes: [{ ...wake, status: 'claimed' }] },
    left: ['wake claimed, issue_assigned, run run'],
  },
  {
    situation: 'a wake is deferred',
    change: { wakes: [{ ...wake, status: 'deferred_issue_execution', reason: 'issue_commented', runId: null }] },
    left: ['wake deferred_issue_execution, issue_commented'],
  },
  {
    situation: 'a wake has a status nobody knows',
    change: { wakes: [{ ...wake, status: 'parked' }] },
    left: ['wake parked, issue_assigned, run run'],
  },
  { situation: 'a wake was skipped', change: { wakes: [{ ...wake, status: 'skipped' }] }, left: [] },
  {
    situation: 'a lease of a finished run is active',
    change: { leases: [row('lease', 'active', 'policy ephemeral')] },
    left: ['lease active, run run succeeded, policy ephemeral'],
  },
  {
    situation: 'a lease waits for its cleanup',
    change: { leases: [row('lease', 'pending_cleanup')] },
    left: ['lease pending_cleanup, run run succeeded'],
  },
  { situation: 'a lease expired', change: { leases: [row('lease', 'expired')] }, left: [] },
  {
    situation: 'a workspace operation is open',
    change: { operations: [row('operation', 'running', 'phase workspace_finalize')] },
    left: ['operation running, run run succeeded, phase workspace_finalize'],
  },
  {
    situation: 'checkout and lock name a finished run',
    change: { issues: [{ ...issue, checkoutRunId: 'run', executionRunId: 'run' }] },
    left: ['lock checkout names run run, succeeded', 'lock execution lock names run run, succeeded'],
  },
  {
    situation: 'a lock names a run of somebody else',
    change: { issues: [{ ...issue, executionRunId: 'other' }] },
    left: ['lock execution lock names run other, which is not a run of this task'],
  },
  {
    situation: 'a recovery action is active',
    change: { recoveryActions: [row('action', 'active', 'owner board')] },
    left: ['recovery_action active, owner board'],
  },
  {
    situation: 'a recovery action is escalated',
    change: { recoveryActions: [row('action', 'escalated')] },
    left: ['recovery_action escalated'],
  },
  {
    situation: 'an agent is stuck running',
    change: { agents: [{ id: 'agent', status: 'running', pauseReason: null }] },
    left: ['agent running, without a running run'],
  },
  {
    situation: 'an agent is in error',
    change: { agents: [{ id: 'agent', status: 'error', pauseReason: null }] },
    left: [],
  },
];

describe('what is left of a task', () => {
  it.each(cases)('$situation – $left', ({ change, left }) => {
    const truth = { ...clean, ...change };
    expect(leftoversOf(truth).map(({ kind, note }) => `${kind} ${note}`)).toEqual(left);
    expect(isSettled(truth)).toBe(left.length === 0);
  });
});

describe('a settled task', () => {
  it('has no lock of any kind', () => {
    const locked = { ...clean, issues: [{ ...issue, executionRunId: 'run' }], runs: [{ ...run, status: 'running' }] };
    expect(isSettled(locked)).toBe(false);
  });

  it('has an issue: rows that say nothing prove nothing', () => {
    expect(isSettled({ ...clean, issues: [] })).toBe(false);
  });
});

it('finished runs here are finished runs of the model', () => {
  expect(finishedStatuses.run.filter((status) => !isTerminalRunStatus(status))).toEqual([]);
  expect(['queued', 'scheduled_retry', 'running'].filter(isTerminalRunStatus)).toEqual([]);
});
