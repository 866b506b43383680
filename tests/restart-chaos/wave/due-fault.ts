/** A fault whose time is known, or whose moment has come: what the queue fires. */
import type { PlannedFault } from '../model/fault.ts';
import type { TaskId } from '../model/ids.ts';
import type { CommitInHand } from './settle-commit.ts';

export interface DueFault {
  readonly planned: PlannedFault;
  readonly task: TaskId;
  readonly dueAtMs: number;
  /** The commit at which it strikes; null for any other trigger. */
  readonly commit: CommitInHand | null;
  /** Called just before it strikes: why it can no longer strike at its moment, or null. */
  readonly begins: () => Promise<string | null>;
  /** Called when its first step has had its effect. */
  readonly struck: () => void;
  /** Called once, when nothing more is done with it: whoever stands still for it goes on. */
  readonly over: () => Promise<void>;
}

/** A fault that strikes at a time: nobody stands still for it. */
export function dueAtTime(fault: Pick<DueFault, 'planned' | 'task' | 'dueAtMs'>): DueFault {
  return {
    ...fault,
    commit: null,
    begins: async () => null,
    struck: () => undefined,
    over: async () => undefined,
  };
}
