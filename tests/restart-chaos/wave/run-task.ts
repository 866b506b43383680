/**
 * One task from the creation of its issue to its rest: looks at it once a poll interval, acts as its board user
 * (follow-ups, one Retry), and decides nothing but when to stop looking. Judging is grade/'s business.
 */
import { createTaskIssue } from '../board/create-task-issue.ts';
import { createSteerFollowUp } from '../board/follow-up.ts';
import { createTaskObserver } from '../board/observer.ts';
import { beginRest, endOfWatch, stepRest, type RestState } from '../board/rest.ts';
import { createRetryClicker } from '../board/retry-clicker.ts';
import { openTaskBundle } from '../evidence/bundle.ts';
import { errorText } from '../model/errors.ts';
import type { Rest } from '../model/event.ts';
import type { TaskPlan } from '../model/plan.ts';
import type { TaskView } from '../model/view.ts';
import { sleep } from '../process/wait.ts';
import { workloads } from '../workloads/catalogue.ts';
import { watchBench } from './bench-watch.ts';
import { collectTask } from './collect.ts';
import type { FaultQueue } from './fault-queue.ts';
import { checkProcesses, type OpenTask } from './open-task.ts';
import { readRowState } from './row-state.ts';
import type { Stage } from './stage.ts';
import type { Stop } from './stop.ts';

/** While a fault holds the plane down or it recovers, every look takes time from its recovery and shows little. */
const looksLeftOutInFault = 5;

/** Runs the task to its rest, or until the wave stops; then collects what it left. */
export async function runTask(stage: Stage, stop: Stop, faults: FaultQueue, plan: TaskPlan): Promise<void> {
  const task = await openTask(stage, stop, plan);
  if (task === null) return;
  faults.request(task);
  task.rest = await watch(stage, stop, task);
  stage.emit({ kind: 'rest', task: plan.id, rest: task.rest });
  if (task.rest.reason === 'interrupt') {
    stage.emit({ kind: 'task_unfinished_at_interrupt', task: plan.id, lastStatus: task.rest.status });
  }
  await stage.gate.reading(() => collectTask(stage, task));
}

/** Creates the issue; a plane that is down at that moment is waited for, because a board user would try again. */
async function openTask(stage: Stage, stop: Stop, plan: TaskPlan): Promise<OpenTask | null> {
  while (!stop.signal.aborted) {
    try {
      return await stage.gate.reading(() => createTask(stage, plan));
    } catch (error) {
      if (!stage.control.faultInProgress()) throw error;
      stage.emit({ kind: 'stage_step', step: `create ${plan.id}`, durationMs: 0, detail: errorText(error) });
      await pause(stage.numbers.pollIntervalMs, stop.signal);
    }
  }
  return null;
}

async function createTask(stage: Stage, plan: TaskPlan): Promise<OpenTask> {
  const workload = workloads[plan.workload];
  const askedAtMs = stage.clock.nowMs();
  const created = await createTaskIssue(stage.client, {
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

async function watch(stage: Stage, stop: Stop, task: OpenTask): Promise<Rest> {
  const { numbers, clock, emit, client, dialect } = stage;
  const { plan, issueId, agentId, createdAtMs } = task;
  const acting = { client, dialect, task: plan.id, issueId, emit, clock };
  const observer = createTaskObserver(acting);
  const board = boardUser(stage, task, { ...acting, agentId });
  let rest = beginRest({ numbers, createdAtMs, deadlineAtMs: createdAtMs + plan.deadlineMs });
  while (!stop.signal.aborted) {
    const tickAtMs = clock.nowMs();
    const faultBefore = stage.control.faultInProgress();
    const view = await observer.look();
    if (view !== null) task.view = view;
    const liveProcesses = checkProcesses(task, emit);
    if (plan.workload === 'B5') await watchBench(stage, task);
    const faultInProgress = faultBefore || stage.control.faultInProgress();
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
    if (step.verdict !== 'open') return step.verdict;
    const intervalMs = numbers.pollIntervalMs * (stage.control.faultInProgress() ? looksLeftOutInFault : 1);
    await pause(Math.max(1, tickAtMs + intervalMs - clock.nowMs()), stop.signal);
  }
  return stoppedRest(stop, rest);
}

interface BoardUser {
  /** Does what a board user would do after this look. */
  tend(view: TaskView | null, faultInProgress: boolean): Promise<void>;
  /** Whether there is still something to do for this workload. */
  due(view: TaskView | null): boolean;
  /** When the plane last accepted something from this user. */
  acceptedAtMs(): number | null;
}

type Acting = Omit<Parameters<typeof createRetryClicker>[0], 'numbers'>;

function boardUser(stage: Stage, task: OpenTask, acting: Acting): BoardUser {
  const { plan } = task;
  const retry = createRetryClicker({ ...acting, numbers: stage.numbers });
  const body = workloads[plan.workload].steerText(plan);
  const steer = body === null ? null : createSteerFollowUp({ ...acting, nonce: plan.nonce, body });
  const look = (view: TaskView | null): Parameters<NonNullable<typeof steer>['due']>[0] => ({
    view,
    activeRunIds: task.activeRunIds,
  });
  return {
    tend: async (view, faultInProgress) => {
      if (!faultInProgress) await steer?.tend(look(view));
      await retry.tend({ view, faultInProgress });
    },
    due: (view) => steer?.due(look(view)) ?? false,
    acceptedAtMs: () => {
      const accepted = [steer?.acceptedAtMs() ?? null, retry.acceptedAtMs()].filter((at) => at !== null);
      return accepted.length === 0 ? null : Math.max(...accepted);
    },
  };
}

function stoppedRest(stop: Stop, rest: RestState): Rest {
  return endOfWatch(rest, stop.reason()?.why === 'wave_deadline' ? 'wave_deadline' : 'interrupt');
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, signal).catch(() => undefined);
}
