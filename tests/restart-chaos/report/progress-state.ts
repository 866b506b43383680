/** What a person watching a wave wants to know, folded from the events one by one. */
import type { WaveEvent } from '../model/event.ts';
import type { FaultKind, Trigger } from '../model/fault.ts';
import type { FaultRef, TaskId } from '../model/ids.ts';
import type { TaskPlan, WavePlan } from '../model/plan.ts';

export interface ProgressState {
  readonly plan: WavePlan;
  readonly atMs: number;
  readonly boot: number;
  /** In progress, or the one that ended with the last event. */
  readonly fault: FaultProgress | null;
  readonly tasks: Readonly<Record<TaskId, TaskProgress>>;
}

export interface FaultProgress {
  readonly ref: FaultRef;
  readonly kind: FaultKind;
  readonly trigger: Trigger;
  readonly requestedBy: TaskId;
  readonly openTasks: readonly TaskId[];
  readonly startedAtMs: number;
  readonly ended: boolean;
  /** Proofs of its steps, as sentences. */
  readonly seen: readonly string[];
}

export interface TaskProgress {
  readonly plan: TaskPlan;
  readonly createdAtMs: number | null;
  readonly status: string | null;
  /** The status before the last event that changed it. */
  readonly statusBefore: string | null;
  readonly crossedBy: readonly FaultKind[];
  /** How many of its own faults have come due, in plan order. */
  readonly faultsDue: number;
  readonly retry: 'none' | 'offered' | 'clicked';
  readonly rest: { readonly atMs: number; readonly status: string | null; readonly reason: string } | null;
}

/** Nothing has happened yet. */
export function initialProgress(plan: WavePlan): ProgressState {
  const fresh = { createdAtMs: null, status: null, statusBefore: null, crossedBy: [], faultsDue: 0, rest: null };
  const tasks = plan.tasks.map((task): [TaskId, TaskProgress] => [task.id, { plan: task, retry: 'none', ...fresh }]);
  return { plan, atMs: 0, boot: 0, fault: null, tasks: Object.fromEntries(tasks) };
}

/** The state after one more event. */
export function progressState(state: ProgressState, event: WaveEvent): ProgressState {
  const next = { ...state, atMs: event.atMs };
  if ('task' in event) return withTask(next, event.task, (task) => afterTaskEvent(task, event));
  switch (event.kind) {
    case 'boot_started':
      return { ...next, boot: event.boot };
    case 'fault_due':
      return withTask(next, event.requestedBy, (task) => ({ ...task, faultsDue: task.faultsDue + 1 }));
    case 'fault_started': {
      const { ref, fault: kind, trigger, requestedBy, openTasks } = event;
      const startedAtMs = event.atMs;
      return { ...next, fault: { ref, kind, trigger, requestedBy, openTasks, startedAtMs, ended: false, seen: [] } };
    }
    case 'fault_step':
      return next.fault === null
        ? next
        : { ...next, fault: { ...next.fault, seen: [...next.fault.seen, event.proof.seen] } };
    case 'fault_ended':
      return afterFault(next, event.struckAtMs);
    default:
      return next;
  }
}

function afterFault(state: ProgressState, struckAtMs: number | null): ProgressState {
  if (state.fault === null) return state;
  const { kind, openTasks } = state.fault;
  const ended: ProgressState = { ...state, fault: { ...state.fault, ended: true } };
  if (struckAtMs === null) return ended;
  return openTasks.reduce(
    (all, id) => withTask(all, id, (task) => ({ ...task, crossedBy: [...new Set([...task.crossedBy, kind])] })),
    ended,
  );
}

function afterTaskEvent(task: TaskProgress, event: WaveEvent): TaskProgress {
  switch (event.kind) {
    case 'task_created':
      return { ...task, createdAtMs: event.atMs };
    case 'issue_seen':
      return { ...task, statusBefore: task.status, status: event.issue.status };
    case 'retry_offered':
      return { ...task, retry: task.retry === 'clicked' ? 'clicked' : 'offered' };
    case 'retry_clicked':
      return { ...task, retry: 'clicked' };
    case 'rest':
      return { ...task, rest: { atMs: event.atMs, status: event.rest.status, reason: event.rest.reason } };
    default:
      return task;
  }
}

function withTask(state: ProgressState, id: TaskId, change: (task: TaskProgress) => TaskProgress): ProgressState {
  const task = state.tasks[id];
  return task === undefined ? state : { ...state, tasks: { ...state.tasks, [id]: change(task) } };
}
