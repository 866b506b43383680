/**
 * Builds TaskFacts for the tables of this folder: a task of two minutes that is polled every second, is crossed by
 * one crash and passes every rule. Each row changes the one fact it is about.
 */
import type { Beacon, EventBody, Rest, WaveEvent } from '../model/event.ts';
import type { FaultRecord, TaskFacts } from '../model/facts.ts';
import { numbersFor } from '../model/numbers.ts';
import { plainTask } from '../model/plan.testing.ts';
import type { TaskPlan } from '../model/plan.ts';
import type { IssueView, RunView } from '../model/view.ts';
import { issueView, manifest, restMs, runView, sweep, truth, wallAt } from './parts.testing.ts';

// A row of a table reads better when everything given comes under one name.
export * from './parts.testing.ts';

export const createdMs = 1_000;
export const strikeMs = 20_000;
export const readyMs = 25_000;
export const doneMs = 90_000;
export const oldProcess = { pid: 101, startTime: '1001' };

/** A body and its time; numbers are given when the timeline is put together. */
export interface Moment {
  readonly atMs: number;
  readonly body: EventBody;
}

export function at(atMs: number, body: EventBody): Moment {
  return { atMs, body };
}

/** Orders and numbers the moments. */
export function timelineOf(moments: readonly Moment[]): readonly WaveEvent[] {
  return moments
    .toSorted((left, right) => left.atMs - right.atMs)
    .map(({ atMs, body }, index) => ({ seq: index + 1, atMs, wall: wallAt(atMs), ...body }));
}

/** Good looks, one a second, from..to. */
export function pollsBetween(fromMs: number, toMs: number): readonly Moment[] {
  const count = Math.max(0, Math.floor((toMs - fromMs) / 1_000));
  return Array.from({ length: count }, (_, index) => {
    const askedAtMs = fromMs + index * 1_000;
    const answeredAtMs = askedAtMs + 20;
    return at(answeredAtMs, { kind: 'poll', task: 't01', askedAtMs, answeredAtMs, outcome: 'ok', detail: null });
  });
}

export function restAt(atMs: number, rest: Partial<Rest> = {}): Moment {
  return at(atMs, {
    kind: 'rest',
    task: 't01',
    rest: { reason: 'window', status: 'done', sinceMs: atMs - 10_000, ...rest },
  });
}

export function recheckAt(atMs: number, status: string | null = 'done', error: string | null = null): Moment {
  return at(atMs, { kind: 'recheck', task: 't01', status, error });
}

export function createdAt(atMs: number): Moment {
  const issue = { issueId: 'issue-1', identifier: 'CHA-4', agentId: 'agent-1' };
  return at(atMs, { kind: 'task_created', task: 't01', ...issue, askedAtMs: atMs - 50 });
}

export function beaconAt(atMs: number, moment: Beacon['moment'], changes: Partial<Beacon> = {}): Moment {
  const beacon: Beacon = { moment, runId: 'run-a', process: oldProcess, cwd: '/w/t01', detail: '', ...changes };
  return at(atMs, { kind: 'beacon', task: 't01', beacon });
}

export function issueAt(atMs: number, status: string, changes: Partial<IssueView> = {}): Moment {
  return at(atMs, { kind: 'issue_seen', task: 't01', issue: issueView(status, changes) });
}

export function runAt(atMs: number, changes: Partial<RunView> = {}): Moment {
  return at(atMs, { kind: 'run_seen', task: 't01', run: runView(changes) });
}

/** The first half of every life: created, run A works. */
export const beginning: readonly Moment[] = [
  createdAt(createdMs),
  issueAt(1_500, 'in_progress'),
  runAt(2_000, { status: 'running', outputSeq: 0 }),
  beaconAt(2_500, 'started'),
  beaconAt(3_000, 'activity'),
  runAt(4_000, { status: 'running', outputSeq: 3 }),
];

/** The second half of a task that goes well. */
export const goodEnd: readonly Moment[] = [
  beaconAt(30_000, 'step'),
  beaconAt(89_000, 'ending', { detail: 'exit 0: done' }),
  runAt(doneMs, { status: 'succeeded', outputSeq: 9, finishedAt: wallAt(89_500) }),
  issueAt(doneMs, 'done'),
  restAt(restMs, { sinceMs: doneMs }),
  recheckAt(131_000),
];

/** A life with polls from its creation to `untilMs`, except while the usual fault holds the plane down. */
export function life(moments: readonly Moment[], untilMs = restMs): readonly WaveEvent[] {
  const polls = [...pollsBetween(1_100, strikeMs), ...pollsBetween(readyMs, untilMs)];
  return timelineOf([...polls, ...moments]);
}

export function crash(changes: Partial<FaultRecord> = {}): FaultRecord {
  return {
    ref: 'f01',
    kind: 'K1',
    trigger: { on: 'time', offsetMs: 19_000 },
    requestedBy: 't01',
    startedAtMs: strikeMs,
    struckAtMs: strikeMs + 10,
    readyAtMs: readyMs,
    endedAtMs: readyMs,
    landed: true,
    reason: null,
    ...changes,
  };
}

export function taskPlan(changes: Partial<TaskPlan> = {}): TaskPlan {
  return plainTask({
    temperament: 'fragile',
    faults: [{ kind: 'K1', trigger: { on: 'time', offsetMs: 19_000 }, parameters: {} }],
    ...changes,
  });
}

/** Crossed by K1, went on by itself, done and clean. */
export function goodFacts(changes: Partial<TaskFacts> = {}): TaskFacts {
  return {
    plan: taskPlan(),
    numbers: numbersFor(1),
    dialect: 'paperclip-2026-09',
    timeline: life([...beginning, ...goodEnd]),
    evidenceGaps: null,
    faults: [crash()],
    issue: issueView('done'),
    runs: [runView({ status: 'succeeded' })],
    comments: [],
    documents: [],
    truth: { before: truth(), after: truth(), rest: truth() },
    manifests: { before: manifest('before'), after: manifest('after'), rest: manifest('rest') },
    sweep: sweep(),
    oracle: null,
    tape: null,
    otherWorktrees: {},
    ...changes,
  };
}

/** The same task in a wave without faults. */
export function controlFacts(changes: Partial<TaskFacts> = {}): TaskFacts {
  const timeline = timelineOf([...pollsBetween(1_100, restMs), ...beginning, ...goodEnd]);
  const nothing = { before: null, after: null };
  return goodFacts({
    plan: taskPlan({ faults: [] }),
    faults: [],
    timeline,
    truth: { ...nothing, rest: truth() },
    manifests: { ...nothing, rest: manifest('rest') },
    ...changes,
  });
}
