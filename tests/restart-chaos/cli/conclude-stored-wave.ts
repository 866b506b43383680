/**
 * What a wave leaves for people and for the next wave, from what is on disk: grades, SUMMARY.md, its lines in the
 * ledger, the last lines shown. The same for a wave that just ended and for one whose harness died.
 */
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

/** Grades, writes summary and ledger; returns the record and the last lines. Once for each wave. */
export function concludeStoredWave({ results, store, how, replay }: ConcludeOptions): {
  readonly record: WaveRecord;
  readonly lines: readonly string[];
} {
  const wave = readWave(store.directory);
  const record = gradeStoredWave(wave);
  keepGrades(store.directory, record, store.redactor);
  const history = readHistory(readLedger(results.ledger).lines, record);
  const numbers = numbersFor(record.timeScale);
  const momentText = (trigger: Trigger): string | null => namedMomentText(record.target, trigger);
  store.writeSummary(summaryMarkdown({ record, history, events: wave.events, numbers, how, replay, momentText }));
  appendLedger(results.ledger, ledgerLines(record, new Date().toISOString()), store.redactor);
  const summaryPath = relative(process.cwd(), store.paths.summary);
  return { record, lines: lastLines(record, { known: history.known, summaryPath, replay }) };
}
