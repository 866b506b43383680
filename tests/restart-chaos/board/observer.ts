/**
 * Looks at one task as a board user and records what it sees: one `poll` event for every look, and an event for
 * whatever changed since the look before.
 *
 * It never judges and never acts; Retry and comments are retry-clicker.ts and follow-up.ts. It does not repeat a
 * failed look: the next one comes anyway, and the gap is itself worth recording.
 */
import type { Clock, Emit } from '../model/event.ts';
import type { TaskId } from '../model/ids.ts';
import type { TaskView } from '../model/view.ts';
import type { BoardClient } from './client.ts';
import { type Dialect, nothingRead, type ReadMemory, type TaskReading } from './dialect.ts';
import { changesSince, nothingSeen, type Seen } from './observer-diff.ts';

export interface TaskObserverOptions {
  readonly client: BoardClient;
  readonly dialect: Dialect;
  readonly task: TaskId;
  readonly issueId: string;
  readonly emit: Emit;
  readonly clock: Clock;
}

export interface TaskObserver {
  /**
   * One look. Null when a part could not be read; what was read is recorded all the same. Never throws. One call at a
   * time: the caller looks at its task in a strict sequence, and each look builds on what the one before remembered.
   */
  look(): Promise<TaskView | null>;
}

export function createTaskObserver(options: TaskObserverOptions): TaskObserver {
  const { client, dialect, task, issueId, emit, clock } = options;
  let memory: ReadMemory = nothingRead;
  let seen: Seen = nothingSeen;

  const look = async (): Promise<TaskView | null> => {
    const askedAtMs = clock.nowMs();
    const reading = await dialect.readTask(client, issueId, memory);
    memory = reading.memory;
    const { outcome, detail } = reading;
    emit({ kind: 'poll', task, askedAtMs, answeredAtMs: clock.nowMs(), outcome, detail });
    const changes = changesSince(seen, reading, task);
    seen = changes.seen;
    for (const event of changes.events) emit(event);
    return wholeView(reading);
  };

  return { look };
}

function wholeView({ outcome, issue, runs, comments, documents }: TaskReading): TaskView | null {
  if (outcome !== 'ok' || issue === null || runs === null || comments === null || documents === null) return null;
  return { issue, runs, comments, documents };
}
