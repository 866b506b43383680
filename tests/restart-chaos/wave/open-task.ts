/** What the harness knows of a task between the creation of its issue and its rest. Changed only by wave/. */
import type { TaskBundle } from '../evidence/bundle.ts';
import { isAlive } from '../process/identity.ts';
import type { Beacon, Emit, Rest } from '../model/event.ts';
import type { SnapshotMoment } from '../model/evidence.ts';
import { identityKey, type ProcessIdentity } from '../model/fault.ts';
import type { TaskPlan } from '../model/plan.ts';
import type { TaskView } from '../model/view.ts';

export interface OpenTask {
  readonly plan: TaskPlan;
  readonly issueId: string;
  readonly identifier: string;
  readonly agentId: string;
  readonly createdAtMs: number;
  readonly bundle: TaskBundle;
  /** The last look that worked. */
  view: TaskView | null;
  rest: Rest | null;
  /** Set when a fault that another task asked for struck while this one was open. */
  crossedByAnother: boolean;
  /** When its collection began, on the wave clock; null while open. */
  restedAtMs: number | null;
  /** B5: the last progress value seen, and all that were seen. */
  benchValue: number | null;
  readonly benchProgress: { readonly atMs: number; readonly value: number; readonly valid: boolean }[];
  /** Moments at which a snapshot was taken. */
  readonly snapshots: Set<SnapshotMoment>;
  /** Runs whose agent showed a sign of work, beyond having started. */
  readonly activeRunIds: Set<string>;
  readonly processes: Map<
    string,
    { readonly identity: ProcessIdentity; readonly runId: string | null; alive: boolean }
  >;
}

/** Remembers the process behind a beacon. */
export function noteBeacon(task: OpenTask, beacon: Beacon): void {
  if (beacon.moment !== 'started' && beacon.runId !== null) task.activeRunIds.add(beacon.runId);
  const key = identityKey(beacon.process);
  if (!task.processes.has(key)) {
    task.processes.set(key, { identity: beacon.process, runId: beacon.runId, alive: true });
  }
}

/** Looks which agent processes of the task still live; reports each that is gone, once. */
export function checkProcesses(task: OpenTask, emit: Emit): boolean {
  for (const process of task.processes.values()) {
    if (!process.alive || isAlive(process.identity)) continue;
    process.alive = false;
    emit({ kind: 'process_gone', task: task.plan.id, process: process.identity, runId: process.runId });
  }
  return [...task.processes.values()].some((process) => process.alive);
}

/** The worktree that the plane gave the task, once it is known. */
export function worktreeOf(task: OpenTask): string | null {
  return task.view?.issue.workspaceCwd ?? null;
}

/** The tasks whose issue exists, by id. */
export interface TaskBook {
  open(task: Pick<OpenTask, 'plan' | 'issueId' | 'identifier' | 'agentId' | 'createdAtMs' | 'bundle'>): OpenTask;
  all(): readonly OpenTask[];
  find(id: string): OpenTask | null;
  /** Every agent process a beacon came from. */
  processes(): readonly ProcessIdentity[];
}

/** An empty book. */
export function createTaskBook(): TaskBook {
  const tasks = new Map<string, OpenTask>();
  return {
    open: (created) => {
      const task: OpenTask = {
        ...created,
        view: null,
        rest: null,
        restedAtMs: null,
        crossedByAnother: false,
        activeRunIds: new Set(),
        benchValue: null,
        benchProgress: [],
        snapshots: new Set(),
        processes: new Map(),
      };
      tasks.set(task.plan.id, task);
      return task;
    },
    all: () => [...tasks.values()],
    find: (id) => tasks.get(id) ?? null,
    processes: () =>
      [...tasks.values()].flatMap((task) => [...task.processes.values()].map(({ identity }) => identity)),
  };
}
