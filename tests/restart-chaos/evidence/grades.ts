/**
 * Keeps grades without ever overwriting one. Grading the same evidence again must give the same bytes; where it does
 * not (a rule was changed), the new grade stands beside the old one as `grade.2.json`, and the newest counts.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { relative } from 'node:path';
import { HarnessError } from '../model/errors.ts';
import type { WaveRecord } from '../model/record.ts';
import { createText, jsonText, readJson, readTextIfThere } from './file.ts';
import { createRedactor, type Redactor } from './redaction.ts';
import { wavePaths } from './wave-paths.ts';

export interface KeptGrade {
  /** Task id, or `wave`. */
  readonly of: string;
  readonly outcome: 'written' | 'identical' | 'differs';
  /** The file that now holds this grade. */
  readonly path: string;
}

/**
 * Writes, or compares with what is there, the grade of every task and the record of the wave. Throws
 * HarnessError(`evidence-unwritable`).
 */
export function keepGrades(
  waveDirectory: string,
  record: WaveRecord,
  redactor: Redactor = createRedactor(),
): readonly KeptGrade[] {
  const paths = wavePaths(waveDirectory);
  const tasks = record.tasks.map(({ plan, grade }) => {
    mkdirSync(paths.task(plan.id).directory, { recursive: true });
    return keep(plan.id, paths.task(plan.id).grade, jsonText(grade, redactor));
  });
  return [...tasks, keep('wave', paths.record, jsonText(record, redactor))];
}

/** The newest record of a wave; null when it was never graded. */
export function readRecord(waveDirectory: string): WaveRecord | null {
  return readJson<WaveRecord>(newest(wavePaths(waveDirectory).record).path);
}

/** A grade on disk that is not the one that was given. */
export interface DifferingGrade {
  /** Of the newest file, relative to the wave. */
  readonly path: string;
  /** The verdict in that file, and the one that was given. */
  readonly kept: string;
  readonly now: string;
}

/** Compares as `keepGrades` does, and writes nothing. A grade that is not there, or cannot be read, is left out. */
export function differingGrades(waveDirectory: string, record: WaveRecord): readonly DifferingGrade[] {
  const paths = wavePaths(waveDirectory);
  const redactor = createRedactor();
  const all = [
    ...record.tasks.map(({ plan, grade }) => ({ file: paths.task(plan.id).grade, value: grade })),
    { file: paths.record, value: record },
  ];
  return all.flatMap(({ file, value }) => {
    const { path } = newest(file);
    const kept = readJson<{ schema: number; verdict?: unknown }>(path);
    if (kept === null || readTextIfThere(path) === jsonText(value, redactor)) return [];
    return [{ path: relative(waveDirectory, path), kept: String(kept.verdict), now: value.verdict }];
  });
}

function keep(of: string, path: string, text: string): KeptGrade {
  const last = newest(path);
  if (last.nth === 0) {
    createText(path, text, createRedactor());
    return { of, outcome: 'written', path };
  }
  if (readTextIfThere(last.path) === text) return { of, outcome: 'identical', path: last.path };
  const next = nthPath(path, last.nth + 1);
  createText(next, text, createRedactor());
  return { of, outcome: 'differs', path: next };
}

// Someone who changes rules a thousand times on one wave should start a new one.
const mostGrades = 1_000;

function newest(path: string): { readonly nth: number; readonly path: string } {
  for (let nth = 1; nth <= mostGrades; nth += 1) {
    if (!existsSync(nthPath(path, nth))) return { nth: nth - 1, path: nthPath(path, Math.max(1, nth - 1)) };
  }
  throw new HarnessError('evidence-unwritable', `more than ${mostGrades} grades like ${path}`);
}

function nthPath(path: string, nth: number): string {
  return nth === 1 ? path : path.replace(/\.json$/, `.${nth}.json`);
}
