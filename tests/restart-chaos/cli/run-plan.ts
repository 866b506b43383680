/**
 * One wave from a plan to its exit code: saves the plan, runs it, grades what is on disk, reports. The plan is on disk
 * before anything starts; the grade comes from the disk and from nowhere else.
 */
import { keepGrades } from '../evidence/grades.ts';
import { createEventLog, type EventLog } from '../evidence/event-log.ts';
import { createRedactor, secretsOfEnvironment } from '../evidence/redaction.ts';
import { createWave, openResults, type Results, type WaveStore } from '../evidence/store.ts';
import { readWave } from '../evidence/wave-reader.ts';
import type { Clock } from '../model/event.ts';
import type { ExitCode } from '../model/exit-code.ts';
import { formatWaveId } from '../model/ids.ts';
import { numbersFor } from '../model/numbers.ts';
import type { RunOptions } from '../model/options.ts';
import type { WavePlan } from '../model/plan.ts';
import { createClock } from '../wave/clock.ts';
import { runWave } from '../wave/run-wave.ts';
import { createStop } from '../wave/stop.ts';
import { createTeardown } from '../wave/teardown.ts';
import { harnessCommit } from './commit.ts';
import { gradeStoredWave } from './grade-stored-wave.ts';
import { startLiveReport } from './live-report.ts';
import { checkMachine, fetchTarget } from './preflight.ts';
import { reportOrphanWaves } from './orphan-report.ts';
import { reportWave } from './report-wave.ts';
import { watchSignals } from './signals.ts';

/** Throws UsageError when something is missing; then nothing was started and no wave was made. */
export async function runPlan(plan: WavePlan, options: RunOptions): Promise<ExitCode> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const results = openResults(options.resultsDirectory);
  await checkMachine(plan, options);
  await fetchTarget(plan, options, say);
  reportOrphanWaves(results, say);
  const redactor = createRedactor(secretsOfEnvironment(process.env));
  const store = createWave(results, (collision) => formatWaveId(utcStamp(), plan.seed, collision), redactor);
  store.writePlan(plan);
  const clock = createClock();
  const log = createEventLog({ path: store.paths.events, redact: redactor, clock });
  const commit = harnessCommit();
  const report = startLiveReport({ log, plan, wave: store.id, commit, json: options.json });
  try {
    await runStored({ plan, options, store, log, clock, commit, say: report.say });
  } finally {
    report.stop();
  }
  return concludeWave({ options, results, store, log });
}

interface StoredRun {
  readonly plan: WavePlan;
  readonly options: RunOptions;
  readonly store: WaveStore;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly commit: string;
  readonly say: (line: string) => void;
}

async function runStored({ plan, options, store, log, clock, commit, say }: StoredRun): Promise<void> {
  const emit = (body: Parameters<EventLog['emit']>[0]): void => void log.emit(body);
  const stop = createStop();
  const teardown = createTeardown(emit);
  const signals = watchSignals((signal, count) => {
    emit({ kind: 'interrupt', signal, count });
    stop.request({ why: 'interrupt' });
    // The second time nothing is collected any more: the plane is closed, and that is all.
    if (count === 2) void teardown.unwind().then(() => process.exit(2));
  });
  const { seed, target } = plan;
  emit({ kind: 'wave_started', wave: store.id, seed, target, commit, argv: process.argv.slice(2) });
  try {
    await runWave({
      context: {
        wave: store.id,
        plan,
        numbers: numbersFor(plan.timeScale),
        options,
        testHooks: options.testHooks,
        store,
        emit,
        clock,
        progress: say,
        onLost: (error) => stop.request({ why: 'plane_lost', error }),
      },
      stop,
      teardown,
      replayCommand: (task) => replayLine(options, store.id, task),
    });
  } finally {
    signals.stop();
  }
}

interface Conclusion {
  readonly options: RunOptions;
  readonly results: Results;
  readonly store: WaveStore;
  readonly log: EventLog;
}

function concludeWave({ options, results, store, log }: Conclusion): ExitCode {
  const wave = readWave(store.directory);
  const record = gradeStoredWave(wave);
  keepGrades(store.directory, record, store.redactor);
  const how = `npx tsx main.ts ${process.argv.slice(2).join(' ')}`;
  const replay = (task: string): string => replayLine(options, store.id, task);
  const lines = reportWave({ record, wave, results, store, how, replay });
  if (!options.json) process.stdout.write(`\n${lines.join('\n')}\n`);
  log.emit({ kind: 'wave_ended', exitCode: record.exitCode });
  log.close();
  return record.exitCode;
}

/** The command that repeats one task, as it can be pasted into a shell. */
export function replayLine(options: Pick<RunOptions, 'resultsDirectory'>, wave: string, task: string): string {
  const elsewhere =
    options.resultsDirectory === `${process.cwd()}/results` ? '' : ` --results ${options.resultsDirectory}`;
  return `npx tsx main.ts --replay ${wave}/${task}${elsewhere}`;
}

/** `20261130T164512`. */
function utcStamp(): string {
  return new Date().toISOString().replaceAll(/[-:]/g, '').slice(0, 15);
}
