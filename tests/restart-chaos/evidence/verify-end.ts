/**
 * Checks that the log of a graded wave still has its end. A live harness writes `wave_ended` right after the record; one
 * that died never does, and then its guardian's file or `concluded.json` tells of it, and the record how far the log went.
 */
import { existsSync } from 'node:fs';
import type { WaveEvent } from '../model/event.ts';
import type { WaveRecord } from '../model/record.ts';
import { readJson } from './file.ts';
import type { WavePaths } from './wave-paths.ts';

/** Left by `regrade` when it concluded a wave whose harness had died. */
export interface Concluded {
  readonly schema: 1;
  /** Number of the last event that could be read then; 0 when there was none. */
  readonly lastEvent: number;
}

/**
 * What is wrong with the end of the log; null when nothing is, also when the wave was never graded. Throws
 * HarnessError(`evidence-unreadable`) when a file was written by a newer version.
 */
export function checkEnd(paths: WavePaths, events: readonly WaveEvent[]): string | null {
  const last = events.at(-1);
  const record = readJson<WaveRecord>(paths.record);
  if (record === null || last?.kind === 'wave_ended') return null;
  const concluded = readJson<Concluded>(paths.concluded);
  if (concluded === null && !existsSync(paths.guardian)) return 'does not end with wave_ended: its end was cut off';
  const lastSeq = last?.seq ?? 0;
  if (concluded !== null && concluded.lastEvent !== lastSeq)
    return `ends with event ${lastSeq}, and ended with ${concluded.lastEvent} when it was graded: its end was cut off`;
  const lastMs = Math.round(last?.atMs ?? 0);
  return lastMs === record.durationMs
    ? null
    : `ends at ${lastMs} ms, and ended at ${record.durationMs} ms when it was graded: its end was cut off`;
}
