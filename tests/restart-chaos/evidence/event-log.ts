/**
 * The event stream of a wave: events.jsonl, one line an event, on its way to the disk when `emit` returns.
 * It records and hands out; it never judges.
 *
 * Flushed per event to the kernel (survives SIGKILL of the harness), not to the platter (a power cut ends the wave
 * anyway). Trap: a full disk takes half a line; nothing is written after it, so that only the tail is torn.
 */
import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import { HarnessError, errorText } from '../model/errors.ts';
import type { Clock, EventBody, WaveEvent } from '../model/event.ts';
import { writeAll } from './redact-file.ts';
import type { Redactor } from './redaction.ts';

export interface EventLog {
  /**
   * Numbers, stamps, redacts and appends one event, then tells the listeners, and returns it as it was written.
   * Throws HarnessError(`evidence-unwritable`) the first time a line cannot be written. After that events still
   * reach the listeners, but not the disk, so that closing a wave is not stopped by the same error again.
   */
  emit(body: EventBody): WaveEvent;
  /** Calls the listener with every event from now on; returns how to stop it. A listener that throws is dropped, and that is a harness_error. */
  subscribe(listener: (event: WaveEvent) => void): () => void;
  /** The first write error, if there was one; also when the file is not at its path any more, so that nobody can read it. */
  failure(): HarnessError | null;
  close(): void;
}

export interface EventLogOptions {
  readonly path: string;
  readonly redact: Pick<Redactor, 'json'>;
  readonly clock: Clock;
}

/** Creates the log file. Throws HarnessError(`evidence-unwritable`) when it exists or cannot be created. */
export function createEventLog({ path, redact, clock }: EventLogOptions): EventLog {
  let descriptor: number | null = openNew(path);
  let failure: HarnessError | null = null;
  let seq = 0;
  const listeners = new Set<(event: WaveEvent) => void>();

  const append = (event: WaveEvent): void => {
    if (descriptor === null || failure !== null) return;
    try {
      writeAll(descriptor, Buffer.from(eventLine(event), 'utf8'));
    } catch (error) {
      failure = notAppended(event, path, error);
    }
  };
  const tell = (event: WaveEvent): void => {
    const broken: unknown[] = [];
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        listeners.delete(listener);
        broken.push(error);
      }
    }
    for (const error of broken) {
      emit({
        kind: 'harness_error',
        code: 'internal',
        message: `a listener of the event log threw: ${errorText(error)}`,
      });
    }
  };
  const emit = (body: EventBody): WaveEvent => {
    seq += 1;
    const stamp = { seq, atMs: Math.round(clock.nowMs() * 1000) / 1000, wall: new Date().toISOString() };
    const event: WaveEvent = { ...stamp, ...redact.json(body) };
    const failedBefore = failure !== null;
    append(event);
    tell(event);
    if (failure !== null && !failedBefore) throw failure as HarnessError;
    return event;
  };
  return {
    emit,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    failure: () => {
      if (descriptor !== null && !isAtPath(descriptor, path)) failure ??= notThere(path);
      return failure;
    },
    close: () => {
      if (descriptor !== null) closeSync(descriptor);
      descriptor = null;
    },
  };
}

/** One line of a log. The first one carries the schema of the whole file. */
export function eventLine(event: WaveEvent, isFirst = event.seq === 1): string {
  return `${JSON.stringify(isFirst ? { schema: 1, ...event } : event)}\n`;
}

function notAppended({ seq, kind }: WaveEvent, path: string, error: unknown): HarnessError {
  return new HarnessError(
    'evidence-unwritable',
    `could not append event ${seq} (${kind}) to ${path}: ${errorText(error)}; what is in the file stays readable, later events are not on disk`,
    { cause: error },
  );
}

function notThere(path: string): HarnessError {
  return new HarnessError(
    'evidence-unwritable',
    `the event log is not at ${path} any more: somebody removed or replaced it while the wave ran`,
  );
}

function isAtPath(descriptor: number, path: string): boolean {
  const [open, named] = [fstatSync(descriptor), statSync(path, { throwIfNoEntry: false })];
  return named !== undefined && named.ino === open.ino && named.dev === open.dev;
}

function openNew(path: string): number {
  try {
    return openSync(path, 'ax');
  } catch (error) {
    throw new HarnessError('evidence-unwritable', `could not create the event log ${path}: ${errorText(error)}`, {
      cause: error,
    });
  }
}
