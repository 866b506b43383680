/** `regrade`: verdicts again from what is on disk; also for a wave whose harness died. */
import { join } from 'node:path';
import { openTaskBundle } from '../evidence/bundle.ts';
import { createJson } from '../evidence/file.ts';
import { findWave } from '../evidence/find-waves.ts';
import { keepGrades, readRecord } from '../evidence/grades.ts';
import { createRedactor, secretsOfEnvironment } from '../evidence/redaction.ts';
import { reopenWave, resultsAt, type Results } from '../evidence/store.ts';
import type { Concluded } from '../evidence/verify-end.ts';
import { readWave } from '../evidence/wave-reader.ts';
import { UsageError } from '../model/errors.ts';
import { exitCode, type ExitCode } from '../model/exit-code.ts';
import { isWaveId } from '../model/ids.ts';
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
  if (readRecord(directory) === null) {
    refuseRunning(directory, wave);
    return concludeDied(results, directory);
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
  const { state, owner } = findWave(wave, directory);
  if (state !== 'running') return;
  throw new UsageError([`${wave} is running (process ${owner?.pid}); regrade it when it has ended`]);
}

/** A wave whose harness died before it was graded gets what it would have got: bundles, grades, summary, ledger. */
function concludeDied(results: Results, directory: string): ExitCode {
  const store = reopenWave(directory, createRedactor(secretsOfEnvironment(process.env)));
  const { plan, events } = readWave(directory);
  const replay = (task: string): string => replayLine({ resultsDirectory: results.directory }, store.id, task);
  for (const task of plan.tasks) {
    if (!events.some((event) => event.kind === 'task_created' && event.task === task.id)) continue;
    openTaskBundle(store, task.id).close({ plan: task, events, replay: replay(task.id) });
  }
  const concluded: Concluded = { schema: 1, lastEvent: events.at(-1)?.seq ?? 0 };
  createJson(store.paths.concluded, concluded, store.redactor);
  const how = `npx tsx main.ts --plan ${store.paths.plan}`;
  const { record, lines } = concludeStoredWave({ results, store, how, replay });
  process.stdout.write(`${lines.join('\n')}\n`);
  return record.exitCode;
}
