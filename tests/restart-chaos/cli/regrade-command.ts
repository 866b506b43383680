/** `regrade`: verdicts again from what is on disk; also for a wave whose harness died. */
import { join } from 'node:path';
import { keepGrades } from '../evidence/grades.ts';
import { resultsAt } from '../evidence/store.ts';
import { readWave } from '../evidence/wave-reader.ts';
import { UsageError } from '../model/errors.ts';
import { exitCode, type ExitCode } from '../model/exit-code.ts';
import { isWaveId } from '../model/ids.ts';
import { gradeStoredWave } from './grade-stored-wave.ts';
import { resultsDirectoryOf, type RawFlags } from './raw-flags.ts';

/** Says for each wave whether its grades came out as before. Its exit code is that of the worst wave. */
export function regradeCommand(waves: readonly string[], flags: RawFlags): ExitCode {
  const wrong = waves.filter((wave) => !isWaveId(wave));
  if (wrong.length > 0)
    throw new UsageError(wrong.map((wave) => `regrade takes wave ids such as w-20261130T164512-s42; got "${wave}"`));
  const results = resultsAt(resultsDirectoryOf(flags));
  const codes = waves.map((wave) => regradeWave(join(results.waves, wave)));
  const severity: readonly ExitCode[] = [exitCode.harness, exitCode.failed, exitCode.inconclusive, exitCode.passed];
  return severity.find((code) => codes.includes(code)) ?? exitCode.passed;
}

function regradeWave(directory: string): ExitCode {
  const record = gradeStoredWave(readWave(directory));
  for (const { of, outcome, path } of keepGrades(directory, record)) {
    process.stdout.write(`${record.wave} ${of.padEnd(4)} ${outcome} (${path})\n`);
  }
  process.stdout.write(`${record.wave} ${record.verdict}, exit ${record.exitCode}\n`);
  return record.exitCode;
}
