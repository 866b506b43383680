/**
 * What a wave leaves for people and for the next wave, from what is on disk: grades, SUMMARY.md, its lines in the
 * ledger, the last lines shown. The same for a wave that just ended and for one whose harness died.
 */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { keepGrades } from '../evidence/grades.ts';
import { appendLedger, readLedger } from '../evidence/ledger.ts';
import type { Results, WaveStore } from '../evidence/store.ts';
import { readWave } from '../evidence/wave-reader.ts';
import { namedMomentText } from '../faults/moment-text.ts';
import type { Trigger } from '../model/fault.ts';
import { numbersFor } from '../model/numbers.ts';
import type { WaveRecord } from '../model/record.ts';
import { readHistory } from '../report/history.ts';
import { lastLines } from '../report/last-lines.ts';
import { ledgerLines } from '../report/ledger-lines.ts';
import { summaryMarkdown } from '../report/summary-markdown.ts';
import { gradeStoredWave } from './grade-stored-wave.ts';

export interface ConcludeOptions {
  readonly results: Results;
  readonly store: WaveStore;
  /** The command line that runs such a wave again, ready to paste. */
  readonly how: string;
  /** The command that repeats one of its tasks. */
  readonly replay: (task: string) => string;
}

/**
 * Grades, writes summary and ledger; returns the record and the last lines. Everything that can be wrong with what is on
 * disk shows before the first file is written, so that no wave is graded that has no summary. A write that failed, or a
 * harness that died in between, is made good by calling it again: what is there is kept.
 */
export function concludeStoredWave({ results, store, how, replay }: ConcludeOptions): {
  readonly record: WaveRecord;
  readonly lines: readonly string[];
} {
  const wave = readWave(store.directory);
  const record = gradeStoredWave(wave);
  const ledger = readLedger(results.ledger).lines;
  const earlier = readHistory(ledger, record);
  // Its own control arm counts also where the ledger was lost.
  const own = wave.events.flatMap((event) => (event.kind === 'control_arm' ? event.tasks : []));
  const history = { ...earlier, controlTasks: [...earlier.controlTasks, ...own] };
  const numbers = numbersFor(record.timeScale);
  const momentText = (trigger: Trigger): string | null => namedMomentText(record.target, trigger);
  const summary = summaryMarkdown({ record, history, events: wave.events, numbers, how, replay, momentText });
  const summaryPath = relative(process.cwd(), store.paths.summary);
  const lines = lastLines(record, { known: history.known, summaryPath, replay });
  keepGrades(store.directory, record, store.redactor);
  if (!existsSync(store.paths.summary)) store.writeSummary(summary);
  if (!ledger.some((line) => line.wave === record.wave)) {
    appendLedger(results.ledger, ledgerLines(record, new Date().toISOString()), store.redactor);
  }
  return { record, lines };
}
