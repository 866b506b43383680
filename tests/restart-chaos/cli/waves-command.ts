/** `waves` and `verify`: what there is in the results directory, and whether it is whole. */
import { join } from 'node:path';
import { findWaves, type FoundWave } from '../evidence/find-waves.ts';
import { resultsAt } from '../evidence/store.ts';
import { verifyWave } from '../evidence/verify-wave.ts';
import { UsageError } from '../model/errors.ts';
import { exitCode, type ExitCode } from '../model/exit-code.ts';
import { isWaveId } from '../model/ids.ts';
import { resultsDirectoryOf, type RawFlags } from './raw-flags.ts';
import { verifyGrades } from './verify-grades.ts';

/** One line per wave, and below a wave whose harness died what became of its plane. */
export function wavesCommand(flags: RawFlags): ExitCode {
  const results = resultsAt(resultsDirectoryOf(flags));
  const found = findWaves(results);
  if (found.length === 0) process.stdout.write(`no waves in ${results.waves}\n`);
  for (const wave of found) for (const line of describeWave(wave)) process.stdout.write(`${line}\n`);
  return exitCode.passed;
}

/** A wave in one line, and what a dead one left. */
export function describeWave(wave: FoundWave): readonly string[] {
  const tasks = wave.tasks === null ? '' : ` · ${wave.tasks} tasks`;
  const how = wave.state === 'finished' ? `${wave.verdict}, exit ${wave.exitCode}` : wave.state;
  const lines = [`${wave.id}${tasks} · ${how}${wave.problem === null ? '' : ` (${wave.problem})`}`];
  if (wave.state !== 'died') return lines;
  lines.push(`  its harness died before it was graded; what it saw is on disk: npx tsx main.ts regrade ${wave.id}`);
  if (wave.guardian !== null) {
    const ended = lengthOf(wave.guardian['ended']);
    const alive = lengthOf(wave.guardian['stillAlive']);
    lines.push(
      `  its guardian ended ${ended} processes, ${alive} stayed alive; run directory ${String(wave.guardian['runDirectory'])}`,
    );
  }
  return lines;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

/** Exit 2 when a file of the wave is missing, damaged or in another's place, or a verdict is not that of the evidence. */
export function verifyCommand(wave: string, flags: RawFlags): ExitCode {
  if (!isWaveId(wave)) throw new UsageError([`verify takes a wave id such as w-20261130T164512-s42; got "${wave}"`]);
  const directory = join(resultsAt(resultsDirectoryOf(flags)).waves, wave);
  const problems = [...verifyWave(directory), ...verifyGrades(directory)];
  for (const { path, problem } of problems) process.stdout.write(`${path} ${problem}\n`);
  if (problems.length === 0) process.stdout.write(`${wave}: the evidence is whole\n`);
  return problems.length === 0 ? exitCode.passed : exitCode.harness;
}
