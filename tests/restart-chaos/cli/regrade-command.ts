/** `regrade`: verdicts again from what is on disk; also for a wave whose harness died. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openTaskBundle } from '../evidence/bundle.ts';
import { createJson } from '../evidence/file.ts';
import { findWave } from '../evidence/find-waves.ts';
import { keepGrades, readRecord } from '../evidence/grades.ts';
import { createRedactor, secretsOfEnvironment } from '../evidence/redaction.ts';
import { reopenWave, resultsAt, type Results, type WaveStore } from '../evidence/store.ts';
import type { Concluded } from '../evidence/verify-end.ts';
import { wavePaths } from '../evidence/wave-paths.ts';
import { readWave } from '../evidence/wave-reader.ts';
import { UsageError } from '../model/errors.ts';
import { exitCode, type ExitCode } from '../model/exit-code.ts';
import { isWaveId } from '../model/ids.ts';
import { isAlive } from '../process/identity.ts';
import { concludeStoredWave } from './conclude-stored-wave.ts';
import { gradeStoredWave } from './grade-stored-wave.ts';
import { resultsDirectoryOf, type RawFlags } from './raw-flags.ts';
import { replayLine } from './replay-line.ts';

/** Says for each wave whether its grades came out as before. Its exit code is that of the worst wave. */
export function regradeCommand(waves: readonly string[], flags: RawFlags): ExitCode {
  const wrong = waves.filter((wave) => !isWaveId(wave));
  if (wrong.length > 0)
    throw new UsageError(wrong.map((wave) => `regrade takes wave ids such as w-20261130T164512-s42; got "${wave}"`));
  const results = resultsAt(resultsDirectoryOf(flags));
  const codes = waves.map((wave) => regradeWave(results, wave));
  const severity: readonly ExitCode[] = [exitCode.harness, exitCode.failed, exitCode.inconclusive, exitCode.passed];
  return severity.find((code) => codes.includes(code)) ?? exitCode.passed;
}

function regradeWave(results: Results, wave: string): ExitCode {
  const directory = join(results.waves, wave);
  const isGraded = readRecord(directory) !== null;
  if (!isGraded || !existsSync(wavePaths(directory).summary)) {
    refuseRunning(directory, wave);
    return isGraded ? conclude(results, directory) : concludeDied(results, directory);
  }
  const record = gradeStoredWave(readWave(directory));
  for (const { of, outcome, path } of keepGrades(directory, record)) {
    process.stdout.write(`${record.wave} ${of.padEnd(4)} ${outcome} (${path})\n`);
  }
  process.stdout.write(`${record.wave} ${record.verdict}, exit ${record.exitCode}\n`);
  return record.exitCode;
}

/** What a living harness still writes must not be written beside it. */
function refuseRunning(directory: string, wave: string): void {
  const { owner } = findWave(wave, directory);
  if (owner === null || !isAlive(owner)) return;
  throw new UsageError([`${wave} is running (process ${owner.pid}); regrade it when it has ended`]);
}

/** A wave whose harness died before it was graded gets what it would have got: bundles, grades, summary, ledger. */
function concludeDied(results: Results, directory: string): ExitCode {
  const store = reopen(directory);
  const { plan, events } = readWave(directory);
  for (const task of plan.tasks) {
    if (!events.some((event) => event.kind === 'task_created' && event.task === task.id)) continue;
    // The last file of a bundle: this one was closed before the harness died.
    if (existsSync(store.paths.task(task.id).replay)) continue;
    openTaskBundle(store, task.id).close({ plan: task, events, replay: replayOf(results, store)(task.id) });
  }
  return conclude(results, directory);
}

/** Also for a wave that was graded and whose harness died, or could not write, before there was a summary. */
function conclude(results: Results, directory: string): ExitCode {
  const store = reopen(directory);
  noteConcluded(store);
  const how = `npx tsx main.ts --plan ${store.paths.plan}`;
  const { record, lines } = concludeStoredWave({ results, store, how, replay: replayOf(results, store) });
  process.stdout.write(`${lines.join('\n')}\n`);
  return record.exitCode;
}

/** How far the log went, once: its own last event will never come. */
function noteConcluded({ directory, paths, redactor }: WaveStore): void {
  if (existsSync(paths.concluded)) return;
  const concluded: Concluded = { schema: 1, lastEvent: readWave(directory).events.at(-1)?.seq ?? 0 };
  createJson(paths.concluded, concluded, redactor);
}

function reopen(directory: string): WaveStore {
  return reopenWave(directory, createRedactor(secretsOfEnvironment(process.env)));
}

function replayOf(results: Results, { id }: WaveStore): (task: string) => string {
  return (task) => replayLine({ resultsDirectory: results.directory }, id, task);
}
