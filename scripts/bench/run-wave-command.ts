/**
 * Runs one wave through the real command line, as a process of its own, and reads back what it left on the disk.
 * A verdict of the wave is no failure here: what counts is how many verdicts there are.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRecord } from '../../tests/restart-chaos/evidence/grades.ts';
import { readWave } from '../../tests/restart-chaos/evidence/wave-reader.ts';
import { HarnessError } from '../../tests/restart-chaos/model/errors.ts';
import { exitCode } from '../../tests/restart-chaos/model/exit-code.ts';
import { root } from '../run-command.ts';
import { busyShare, readCpuTimes } from './machine-use.ts';
import { figuresOf, type WaveFigures } from './wave-figures.ts';

export interface WaveCommand {
  /** Arguments of `main.ts`, `--results` excepted. */
  readonly argv: readonly string[];
  readonly concurrency: number;
  /** A new directory for this wave alone. */
  readonly resultsDirectory: string;
  /** Ends the wave in order. */
  readonly signal: AbortSignal;
}

export interface WaveRun extends WaveFigures {
  readonly elapsedMs: number;
  readonly exit: number;
  /** Of all processors, by everything on the machine. */
  readonly processorShare: number;
}

/** Throws HarnessError when the command refused to start a wave, naming its log. */
export async function runWaveCommand(command: WaveCommand): Promise<WaveRun> {
  const { resultsDirectory, concurrency } = command;
  const logFile = `${resultsDirectory}.log`;
  mkdirSync(resultsDirectory, { recursive: true });
  const cpuBefore = readCpuTimes();
  const startedAtMs = performance.now();
  const exit = await run(command, logFile);
  const elapsedMs = performance.now() - startedAtMs;
  const processorShare = busyShare(cpuBefore, readCpuTimes());
  const wave = readdirSync(join(resultsDirectory, 'waves')).at(0);
  if (wave === undefined || exit === exitCode.refused) {
    throw new HarnessError(
      'internal',
      `main.ts ${command.argv.join(' ')} ended with ${exit} before a wave; log ${logFile}`,
    );
  }
  const directory = join(resultsDirectory, 'waves', wave);
  const record = readRecord(directory);
  if (record === null) throw new HarnessError('evidence-unreadable', `${directory} has no record; log ${logFile}`);
  const { events } = readWave(directory);
  return { ...figuresOf({ record, events, concurrency, elapsedMs }), elapsedMs, exit, processorShare };
}

async function run({ argv, resultsDirectory, signal }: WaveCommand, logFile: string): Promise<number> {
  const log = openSync(logFile, 'a');
  // A group of its own: a key press would else reach it both directly and through us, and count as two.
  const child = spawn(process.execPath, ['main.ts', ...argv, '--results', resultsDirectory], {
    cwd: root,
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  const end = (): void => void child.kill('SIGINT');
  signal.addEventListener('abort', end, { once: true });
  const [code] = (await once(child, 'exit')) as [number | null];
  signal.removeEventListener('abort', end);
  return code ?? exitCode.harness;
}
