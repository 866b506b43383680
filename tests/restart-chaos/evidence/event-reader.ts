/**
 * Reads an event log back, also one whose writer was killed in the middle of a line or whose disk was damaged.
 * Does not repair anything: what cannot be read is counted, and grading sees the count.
 */
import { readFileSync } from 'node:fs';
import { HarnessError, errorText } from '../model/errors.ts';
import type { WaveEvent } from '../model/event.ts';
import { isEvent } from './event-shapes.ts';
import { refuseNewer } from './file.ts';

export interface StoredEvents {
  readonly events: readonly WaveEvent[];
  /** Lines that could not be read: a torn tail, damage in the middle, or an event that lacks a part of its kind. */
  readonly tornLines: number;
}

/**
 * The events of a log, in the order of the file; none when there is no file. Throws HarnessError(`evidence-unreadable`)
 * when it exists and cannot be read, or was written by a newer version.
 */
export function readEventLog(path: string): StoredEvents {
  const lines = readLines(path);
  const events: WaveEvent[] = [];
  let tornLines = 0;
  for (const line of lines) {
    const value = parseObject(line);
    if (value === null) {
      tornLines += 1;
      continue;
    }
    refuseNewer(path, value);
    const { schema: _schema, ...event } = asOfToday(value);
    if (isEvent(event)) events.push(event);
    else tornLines += 1;
  }
  return { events, tornLines };
}

/** What is missing from a log, in words; null when it is whole. A last line that was never written leaves no trace. */
export function gapsOf({ events, tornLines }: StoredEvents): string | null {
  if (tornLines > 0) return `has ${tornLines} unreadable lines`;
  const gap = events.findIndex((event, index) => event.seq !== index + 1);
  return gap === -1 ? null : `event ${gap + 1} is missing: the line after ${gap} has number ${events[gap]?.seq}`;
}

/** The lines of a JSONL file without empty ones; none when the file is not there. */
export function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new HarnessError('evidence-unreadable', `could not read ${path}: ${errorText(error)}`, { cause: error });
  }
}

/** A line as an object; null when it is torn. */
export function parseObject(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/**
 * An older file lacks what was added since. Every fault fired at a time before there were other triggers, a company that
 * could not be read had always given an answer, and a held commit was told of when it was held.
 */
function asOfToday(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  switch (value['kind']) {
    case 'fault_started':
      return { trigger: { on: 'time', offsetMs: 0 }, ...value };
    case 'company_read_back':
      return { unreachable: false, ...value };
    case 'commit_held':
      return { heldAtMs: value['atMs'], ...value };
    default:
      return value;
  }
}
