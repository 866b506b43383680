/** What a wave leaves for people and for the next wave: SUMMARY.md, its lines in the ledger, the last lines shown. */
import { relative } from 'node:path';
import { appendLedger, readLedger } from '../evidence/ledger.ts';
import type { Results, WaveStore } from '../evidence/store.ts';
import type { StoredWave } from '../evidence/wave-reader.ts';
import { numbersFor } from '../model/numbers.ts';
import type { WaveRecord } from '../model/record.ts';
import { readHistory } from '../report/history.ts';
import { lastLines } from '../report/last-lines.ts';
import { ledgerLines } from '../report/ledger-lines.ts';
import { summaryMarkdown } from '../report/summary-markdown.ts';

export interface ReportOptions {
  readonly record: WaveRecord;
  readonly wave: StoredWave;
  readonly results: Results;
  readonly store: WaveStore;
  /** The command line of this wave, ready to paste. */
  readonly how: string;
  /** The command that repeats one of its tasks. */
  readonly replay: (task: string) => string;
}

/** Writes summary and ledger; returns the last lines. */
export function reportWave(options: ReportOptions): readonly string[] {
  const { record, wave, results, store, how, replay } = options;
  const history = readHistory(readLedger(results.ledger).lines, { target: record.target, wave: record.wave });
  const numbers = numbersFor(record.timeScale);
  store.writeSummary(summaryMarkdown({ record, history, events: wave.events, numbers, how, replay }));
  appendLedger(results.ledger, ledgerLines(record, new Date().toISOString()), store.redactor);
  const summaryPath = relative(process.cwd(), store.paths.summary);
  return lastLines(record, { known: history.known, summaryPath, replay });
}
