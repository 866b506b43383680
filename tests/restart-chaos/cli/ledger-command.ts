/** `ledger`: every failure that was found, over all waves, by target. */
import { readLedger } from '../evidence/ledger.ts';
import { resultsAt } from '../evidence/store.ts';
import { exitCode, type ExitCode } from '../model/exit-code.ts';
import { knownFailures } from '../report/history.ts';
import { resultsDirectoryOf, type RawFlags } from './raw-flags.ts';
import { replayLine } from './replay-line.ts';

/** One block per failure; with --json one object a line. */
export function ledgerCommand(flags: RawFlags): ExitCode {
  const { lines, tornLines } = readLedger(resultsAt(resultsDirectoryOf(flags)).ledger);
  const resultsDirectory = resultsDirectoryOf(flags);
  const failures = knownFailures(lines, (wave, task) => replayLine({ resultsDirectory }, wave, task));
  for (const failure of failures) {
    if (flags.json === true) process.stdout.write(`${JSON.stringify(failure)}\n`);
    else {
      const since =
        failure.seenIn === 1
          ? `once, in ${failure.firstWave}`
          : `in ${failure.seenIn} waves, ${failure.firstWave} to ${failure.lastWave}`;
      process.stdout.write(
        `${failure.status.padEnd(14)} ${failure.target}  ${failure.signature}\n  ${since}\n  ${failure.replay}\n`,
      );
    }
  }
  if (tornLines > 0) process.stderr.write(`${tornLines} lines of the ledger could not be read\n`);
  if (failures.length === 0 && flags.json !== true) process.stdout.write('no failures on record\n');
  return exitCode.passed;
}
