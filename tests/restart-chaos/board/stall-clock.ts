import type { TaskView } from '../model/view.ts';
import { progressMarks } from './task-standing.ts';

/**
 * How long nothing has moved (R5). Pure. It starts again at every mark of progress, at the end of a fault, when a
 * named wait ends, and at human input; a queued run does not move it.
 */
export interface StallClock {
  /** Since when nothing moved, on the wave's clock. */
  readonly quietSinceMs: number;
  /** Progress marks of the last view that was read. */
  readonly marks: ReadonlySet<string>;
}

export interface StallLook {
  readonly atMs: number;
  /** Null when the task could not be read: no progress was seen. */
  readonly view: TaskView | null;
  /** Our fault holds the plane down: this time does not count. */
  readonly faultInProgress: boolean;
  /** The task waits for something that has an owner and a way out. */
  readonly namedWait: boolean;
  /** When the board last did something to this task; null when it never did. */
  readonly humanInputAtMs: number | null;
}

/** The clock of a task that was just created. */
export function startStallClock(atMs: number): StallClock {
  return { quietSinceMs: atMs, marks: new Set() };
}

export function stepStallClock(clock: StallClock, look: StallLook): StallClock {
  const seen = look.view === null ? [...clock.marks] : progressMarks(look.view);
  const progress = seen.some((mark) => !clock.marks.has(mark));
  const restarted = progress || look.faultInProgress || look.namedWait;
  const quietSinceMs = Math.max(restarted ? look.atMs : clock.quietSinceMs, look.humanInputAtMs ?? 0);
  return { quietSinceMs, marks: new Set(seen) };
}

export function isStalled(clock: StallClock, atMs: number, stallLimitMs: number): boolean {
  return atMs - clock.quietSinceMs >= stallLimitMs;
}
