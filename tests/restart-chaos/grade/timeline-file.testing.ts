/**
 * One task's life as a person writes it (doc/evidence.md, "A task's life as a file"), and the facts it stands for. Looks
 * of the board and rows at rest come from the same line, so that they never contradict each other by accident.
 */
import { z } from 'zod';
import { marker } from '../model/card.ts';
import type { Leftover } from '../model/evidence.ts';
import type { TaskFacts } from '../model/facts.ts';
import * as given from './facts.testing.ts';

const ms = z.number().int().nonnegative();
const byName = <Shape extends z.ZodType>(shape: Shape) => z.record(z.string(), shape);

const run = z.strictObject({
  createdMs: ms,
  startedMs: ms.optional(),
  end: z.strictObject({ atMs: ms, status: z.enum(['succeeded', 'failed', 'cancelled', 'interrupted']) }).optional(),
  isRetryScheduled: z.boolean().default(false),
  dueMs: ms.optional(),
  retryOf: z.string().optional(),
  wake: z.string().optional(),
  comments: z.array(z.string()).default([]),
});
const agentProcess = z.strictObject({
  run: z.string(),
  startedMs: ms,
  worksMs: z.array(ms).default([]),
  goneMs: ms.optional(),
});
const click = z.strictObject({ run: z.string(), accepted: z.boolean(), newRun: z.string().optional() });
const things = z.strictObject({ comments: byName(z.string()), files: z.array(z.string()) });

/** A whole life. A word that is not in it is refused, so that a slip of the pen tests nothing by silence. */
export const lifeSchema = z.strictObject({
  createdMs: ms,
  fault: z.strictObject({ kind: z.enum(['K1', 'K2', 'K4', 'DB1']), struckMs: ms, readyMs: ms }),
  rest: z.strictObject({ atMs: ms, reason: z.enum(['settled', 'window', 'stalled', 'deadline']), sinceMs: ms }),
  status: byName(z.string()),
  runs: byName(run),
  processes: byName(agentProcess),
  left: byName(z.enum(['wake', 'lease', 'operation', 'lock', 'recovery_action', 'agent'])).default({}),
  clicks: byName(click).default({}),
  before: things,
  atRest: things,
  statusAfterRest: z.string().optional(),
});
export type Life = z.infer<typeof lifeSchema>;
type Run = z.infer<typeof run>;

/** The facts of a life. The end of the wave's clock is the rest, or the second look after it. */
export function factsOfLife(life: Life): TaskFacts {
  const { fault, rest, createdMs } = life;
  const lastStatus = Object.values(life.status).at(-1) ?? 'todo';
  const polls = [
    ...given.pollsBetween(createdMs + 100, fault.struckMs),
    ...given.pollsBetween(fault.readyMs, rest.atMs),
  ];
  const times = { startedAtMs: fault.struckMs, struckAtMs: fault.struckMs, readyAtMs: fault.readyMs };
  return given.goodFacts({
    timeline: given.timelineOf([
      given.createdAt(createdMs),
      ...polls,
      ...statusLooks(life),
      ...runLooks(life),
      ...beacons(life),
      ...clicks(life),
      given.restAt(rest.atMs, { reason: rest.reason, status: lastStatus, sinceMs: rest.sinceMs }),
      given.recheckAt(rest.atMs + 31_000, life.statusAfterRest ?? lastStatus),
    ]),
    faults: [given.crash({ kind: fault.kind, ...times, endedAtMs: fault.readyMs })],
    issue: given.issueView(lastStatus),
    runs: null,
    documents: [briefOf()],
    truth: {
      before: given.truth({ runs: [], durables: durablesOf(life.before) }),
      after: given.truth({ runs: [], durables: durablesOf(life.before) }),
      rest: given.truth({ runs: rowsOf(life), durables: durablesOf(life.atRest) }),
    },
    manifests: {
      before: given.manifest('before', life.before.files),
      after: given.manifest('after', life.before.files),
      rest: given.manifest('rest', life.atRest.files),
    },
    sweep: given.sweep({ takenAtMs: rest.atMs, leftovers: leftoversOf(life), processesChecked: identities(life) }),
  });
}

function statusLooks({ status }: Life): readonly given.Moment[] {
  return Object.entries(status).map(([atMs, seen]) => given.issueAt(Number(atMs), seen));
}

/** A look half a second after each thing that happened to a run, or when the plane answers again. */
function runLooks({ runs, fault }: Life): readonly given.Moment[] {
  const seenMs = (atMs: number): number =>
    atMs + 500 >= fault.struckMs && atMs < fault.readyMs ? fault.readyMs + 500 : atMs + 500;
  return Object.entries(runs).flatMap(([id, each]) => {
    const due = each.dueMs === undefined ? null : given.wallAt(each.dueMs);
    const waiting = { id, createdAt: given.wallAt(each.createdMs), startedAt: null, scheduledRetryAt: due };
    const started = { ...waiting, startedAt: each.startedMs === undefined ? null : given.wallAt(each.startedMs) };
    return [
      given.runAt(seenMs(each.createdMs), { ...waiting, status: waitingStatus(each) }),
      ...(each.startedMs === undefined ? [] : [given.runAt(seenMs(each.startedMs), { ...started, status: 'running' })]),
      ...(each.end === undefined
        ? []
        : [
            given.runAt(seenMs(each.end.atMs), {
              ...started,
              finishedAt: given.wallAt(each.end.atMs),
              status: each.end.status,
            }),
          ]),
    ];
  });
}

function beacons({ processes }: Life): readonly given.Moment[] {
  return Object.entries(processes).flatMap(([pid, { run: runId, startedMs, worksMs, goneMs }]) => {
    const process = identityOf(pid);
    return [
      given.beaconAt(startedMs, 'started', { runId, process }),
      ...worksMs.map((atMs) => given.beaconAt(atMs, 'activity', { runId, process })),
      ...(goneMs === undefined
        ? []
        : [given.at(goneMs, { kind: 'process_gone', task: 't01', process, runId } as const)]),
    ];
  });
}

function clicks(life: Life): readonly given.Moment[] {
  return Object.entries(life.clicks).flatMap(([atMs, { run: runId, accepted, newRun }]) => {
    const offer = { place: 'banner', runId } as const;
    const answer = { accepted, httpStatus: accepted ? 202 : 409, runId: newRun ?? null, reason: null };
    return [
      given.at(Number(atMs) - 200, { kind: 'retry_offered', task: 't01', offer }),
      given.at(Number(atMs), { kind: 'retry_clicked', task: 't01', offer, answer, error: null }),
    ];
  });
}

function rowsOf({ runs }: Life): NonNullable<TaskFacts['truth']['rest']>['runs'] {
  const wall = (atMs: number | undefined): string | null => (atMs === undefined ? null : given.wallAt(atMs));
  return Object.entries(runs).map(([id, each]) =>
    given.truthRun({
      id,
      status: statusOf(each),
      createdAt: given.wallAt(each.createdMs),
      startedAt: wall(each.startedMs),
      finishedAt: wall(each.end?.atMs),
      scheduledRetryAt: wall(each.dueMs),
      retryOfRunId: each.retryOf ?? null,
      wakeupRequestId: each.wake ?? null,
      wakeCommentIds: each.comments,
    }),
  );
}

function statusOf(each: Run): string {
  return each.end?.status ?? (each.startedMs === undefined ? waitingStatus(each) : 'running');
}

function waitingStatus({ isRetryScheduled }: Run): string {
  return isRetryScheduled ? 'scheduled_retry' : 'queued';
}

/** What is said to be left, every run that is not over, and every process that was not seen to go. */
function leftoversOf({ left, runs, processes }: Life): readonly Leftover[] {
  const open = Object.entries(runs).filter(([, { end }]) => end === undefined);
  const alive = Object.entries(processes).filter(([, { goneMs }]) => goneMs === undefined);
  return [
    ...Object.entries(left).map(([id, kind]) => ({ kind, id, note: 'open at rest' })),
    ...open.map(([id, each]) => ({ kind: 'run' as const, id, note: statusOf(each) })),
    ...alive.map(([pid]) => ({ kind: 'process' as const, id: pid, note: 'alive at rest' })),
  ];
}

function identities({ processes }: Life): readonly ReturnType<typeof identityOf>[] {
  return Object.keys(processes).map(identityOf);
}

function identityOf(pid: string): { readonly pid: number; readonly startTime: string } {
  return { pid: Number(pid), startTime: `${pid}1` };
}

function durablesOf({ comments }: Life['before']): NonNullable<TaskFacts['truth']['rest']>['durables'] {
  const brief = given.durable({ kind: 'document', id: 'd1', hash: null, label: 'brief' });
  return [...Object.entries(comments).map(([id, hash]) => given.durable({ id, hash, label: id })), brief];
}

function briefOf(): NonNullable<TaskFacts['documents']>[number] {
  const body = marker.chaos(given.taskPlan().nonce);
  return { key: 'brief', revision: 1, body, updatedAt: given.wallAt(0) };
}
