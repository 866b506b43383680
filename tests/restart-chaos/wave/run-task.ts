/**
 * One task from the creation of its issue to its rest: looks at it (look-pace.ts says how often), acts as its board user
 * (follow-ups, one Retry), and decides nothing but when to stop looking. Judging is grade/'s business.
 */
import { createTaskIssue } from '../board/create-task-issue.ts';
import { createTaskObserver } from '../board/observer.ts';
import { beginRest, endOfWatch, stepRest } from '../board/rest.ts';
import { openTaskBundle } from '../evidence/bundle.ts';
import { errorText } from '../model/errors.ts';
import type { Rest } from '../model/event.ts';
import { isMoment } from '../model/fault.ts';
import type { TaskPlan } from '../model/plan.ts';
import { sleep } from '../process/wait.ts';
import { workloads } from '../workloads/catalogue.ts';
import { watchBench } from './bench-watch.ts';
import { createBoardUser, type OnStop } from './board-user.ts';
import { collectTask } from './collect.ts';
import type { FaultQueue } from './fault-queue.ts';
import { createLookPace } from './look-pace.ts';
import { checkProcesses, type OpenTask } from './open-task.ts';
import { readRowState } from './row-state.ts';
import type { Stage } from './stage.ts';
import type { Stop, StopReason } from './stop.ts';

/** Runs the task to its rest, or until the wave stops, and collects what it left. Null when it never began. */
export async function runTask(stage: Stage, stop: Stop, faults: FaultQueue, plan: TaskPlan): Promise<OpenTask | null> {
  const turn = plan.faults.length === 0 ? null : await stage.turns.take(stop.signal);
  try {
    if (stop.signal.aborted) return null;
    await faults.expect(plan);
    const task = await openTask(stage, stop, plan);
    if (task === null) return null;
    faults.request(task);
    if (turn !== null) void faults.settled(plan.id).then(turn.end);
    await watchTask(stage, stop, task, (acceptedAtMs) => faults.stopped(plan, acceptedAtMs));
    await faults.withdraw(plan);
    return task;
  } finally {
    await turn?.end();
  }
}

async function watchTask(stage: Stage, stop: Stop, task: OpenTask, onStop: OnStop): Promise<void> {
  const watch = createWatch(stage, task, onStop);
  while (!stop.signal.aborted) {
    watch.checkProcesses();
    const waitMs = watch.untilNextMs();
    if (waitMs > 0) {
      await pause(Math.min(waitMs, stage.numbers.pollIntervalMs / 4), stop.signal);
      continue;
    }
    const rest = await watch.look();
    // Rest and collection are one read: a fault between them would change what the task rested with. When one is
    // waiting already, the task has not rested and is watched on.
    const collected = rest === null ? null : await stage.gate.readingNow(() => conclude(stage, task, rest));
    if (collected !== null) return;
  }
  const rest = watch.stopped(stop);
  if (rest.reason === 'interrupt') {
    stage.emit({ kind: 'task_unfinished_at_interrupt', task: task.plan.id, lastStatus: rest.status });
  }
  await conclude(stage, task, rest);
}

async function conclude(stage: Stage, task: OpenTask, rest: Rest): Promise<true> {
  task.rest = rest;
  stage.emit({ kind: 'rest', task: task.plan.id, rest });
  await collectTask(stage, task);
  return true;
}

/** The call can be repeated: the plane answers the same key with the same issue. */
const mostCreations = 5;

/** Creates the issue; a plane that is down or slow at that moment is asked again, as a board user would. */
async function openTask(stage: Stage, stop: Stop, plan: TaskPlan): Promise<OpenTask | null> {
  let attempts = 0;
  while (!stop.signal.aborted) {
    try {
      // A fault at a commit of the creation itself cannot wait until the creation is over.
      if (plan.faults.some(({ trigger }) => isMoment(trigger))) {
        await stage.gate.quiet();
        return await createTask(stage, plan);
      }
      return await stage.gate.reading(() => createTask(stage, plan));
    } catch (error) {
      attempts += 1;
      if (attempts >= mostCreations && !stage.control.faultInProgress()) throw error;
      stage.emit({ kind: 'stage_step', step: `create ${plan.id}`, durationMs: 0, detail: errorText(error) });
      await pause(stage.numbers.pollIntervalMs, stop.signal);
    }
  }
  return null;
}

async function createTask(stage: Stage, plan: TaskPlan): Promise<OpenTask> {
  const workload = workloads[plan.workload];
  const askedAtMs = stage.clock.nowMs();
  const created = await createTaskIssue(stage.patientClient, {
    wave: stage.wave,
    task: plan,
    seeded: stage.company,
    title: workload.issueTitle(plan, stage.wave),
    brief: workload.brief(plan),
  });
  stage.emit({ kind: 'task_created', task: plan.id, ...created, askedAtMs });
  const bundle = openTaskBundle(stage.store, plan.id);
  return stage.tasks.open({ plan, ...created, createdAtMs: stage.clock.nowMs(), bundle });
}

interface Watch {
  /** One look and what a board user does after it; the rest it amounts to, or null while the task is open. */
  look(): Promise<Rest | null>;
  /** Notes agent processes that are gone, once a poll interval: also while looks are rare. */
  checkProcesses(): void;
  untilNextMs(): number;
  /** The rest of a task that the wave did not wait for. */
  stopped(stop: Stop): Rest;
}

function createWatch(stage: Stage, task: OpenTask, onStop: OnStop): Watch {
  const { numbers, clock, emit, client, dialect, control } = stage;
  const { plan, issueId, createdAtMs } = task;
  const acting = { client, dialect, task: plan.id, issueId, emit, clock };
  const observer = createTaskObserver(acting);
  const board = createBoardUser(stage, task, onStop);
  let rest = beginRest({ numbers, createdAtMs, deadlineAtMs: createdAtMs + plan.deadlineMs });
  const pace = createLookPace(numbers, createdAtMs);
  let checkedAtMs = createdAtMs;
  let liveProcesses = false;

  async function look(): Promise<Rest | null> {
    pace.lookedAt(clock.nowMs());
    const faultBefore = control.faultInProgress();
    const view = await observer.look();
    if (view !== null) task.view = view;
    liveProcesses = checkProcesses(task, emit);
    if (plan.workload === 'B5') await watchBench(stage, task);
    const faultInProgress = faultBefore || control.faultInProgress();
    await board.tend(view, faultInProgress);
    const rows = await readRowState(stage, task, view);
    const step = stepRest(rest, {
      atMs: clock.nowMs(),
      wallMs: Date.now(),
      view,
      faultInProgress,
      followUpDue: board.due(view),
      humanInputAtMs: board.acceptedAtMs(),
      liveProcesses,
      ...rows,
    });
    rest = step.state;
    pace.saw({ isWhole: view !== null, restDueAtMs: step.dueAtMs });
    return step.verdict === 'open' ? null : step.verdict;
  }

  return {
    look,
    checkProcesses: () => {
      if (clock.nowMs() - checkedAtMs < numbers.pollIntervalMs) return;
      checkedAtMs = clock.nowMs();
      const lived = liveProcesses;
      liveProcesses = checkProcesses(task, emit);
      // The end of a process is no write, and the task can rest from then on.
      if (lived && !liveProcesses) stage.marks.noteSign(plan.id, checkedAtMs);
    },
    untilNextMs: () => {
      const faultInProgress = control.faultInProgress();
      const lastWriteMs = control.tap === null ? null : stage.marks.lastWriteMs(plan.id);
      return pace.nextAtMs({ faultInProgress, lastWriteMs, liveProcesses }) - clock.nowMs();
    },
    stopped: (stop) => endOfWatch(rest, endReasons[stop.reason()?.why ?? 'interrupt']),
  };
}

const endReasons = {
  interrupt: 'interrupt',
  wave_deadline: 'wave_deadline',
  plane_lost: 'plane_lost',
  evidence_lost: 'interrupt',
} as const satisfies Record<StopReason['why'], Parameters<typeof endOfWatch>[1]>;

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, signal).catch(() => undefined);
}
