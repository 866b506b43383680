/**
 * One wave from a plan to its exit code: saves the plan, runs it, grades what is on disk, reports. The plan is on disk
 * before anything starts; the grade comes from the disk and from nowhere else.
 */
import { createEventLog, type EventLog } from '../evidence/event-log.ts';
import { createRedactor, secretsOfEnvironment } from '../evidence/redaction.ts';
import { createWave, openResults, type Results, type WaveStore } from '../evidence/store.ts';
import type { ControlArm } from '../model/control-arm.ts';
import { errorText, HarnessError, UsageError } from '../model/errors.ts';
import type { Clock, Emit } from '../model/event.ts';
import { exitCode, type ExitCode } from '../model/exit-code.ts';
import { numbersFor } from '../model/numbers.ts';
import type { RunOptions } from '../model/options.ts';
import type { WavePlan } from '../model/plan.ts';
import type { WaveRecord } from '../model/record.ts';
import { createClock } from '../wave/clock.ts';
import { runWave } from '../wave/run-wave.ts';
import { createStop, type Stop } from '../wave/stop.ts';
import { createTeardown } from '../wave/teardown.ts';
import { createTurns } from '../wave/turns.ts';
import { harnessCommit } from './commit.ts';
import { concludeStoredWave } from './conclude-stored-wave.ts';
import { startLiveReport } from './live-report.ts';
import { checkDaytona } from './daytona-preflight.ts';
import { checkMachine, fetchTarget } from './preflight.ts';
import { reportOrphanWaves } from './orphan-report.ts';
import { replayLine } from './replay-line.ts';
import { watchSignals } from './signals.ts';
import { waveNames } from './wave-name.ts';

export interface PlanEnd {
  readonly exitCode: ExitCode;
  /** Null when the event log was lost: then nothing that was graded is worth anything. */
  readonly record: WaveRecord | null;
}

/**
 * Throws UsageError when something is missing; then nothing was started and no wave was made. `control` is what the same
 * plan showed without faults, when it was run for this wave.
 */
export async function runPlan(plan: WavePlan, options: RunOptions, control: ControlArm | null): Promise<PlanEnd> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const results = openResults(options.resultsDirectory);
  await checkMachine(plan, options);
  await checkDaytona(plan, options, say);
  refuseRemote(plan);
  await fetchTarget(plan, options, say);
  await reportOrphanWaves(results, say);
  const redactor = createRedactor(secretsOfEnvironment(process.env));
  const store = createWave(results, waveNames(plan.seed), redactor);
  store.writePlan(plan);
  const clock = createClock();
  const log = createEventLog({ path: store.paths.events, redact: redactor, clock });
  const commit = harnessCommit();
  const report = startLiveReport({ log, plan, wave: store.id, commit, json: options.json });
  try {
    await runStored({ plan, options, control, store, log, clock, commit, say: report.say });
  } finally {
    report.stop();
  }
  return concludeWave({ options, results, store, log });
}

/** Everything that a remote wave needs is there, and then the harness itself lacks the last part. */
function refuseRemote({ environment }: WavePlan): void {
  if (environment === 'local') return;
  throw new UsageError(['--env daytona: everything it needs is there, but agents in sandboxes are not built yet']);
}

interface StoredRun {
  readonly plan: WavePlan;
  readonly options: RunOptions;
  readonly control: ControlArm | null;
  readonly store: WaveStore;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly commit: string;
  readonly say: (line: string) => void;
}

async function runStored({ plan, options, control, store, log, clock, commit, say }: StoredRun): Promise<void> {
  const stop = createStop();
  const emit = emitter(log, stop);
  const teardown = createTeardown(emit);
  const signals = watchSignals((signal, count) => {
    emit({ kind: 'interrupt', signal, count });
    stop.request({ why: 'interrupt' });
    // The second time nothing is collected any more. The guardian sees us go and ends whatever is alive.
    if (count === 2) process.exit(exitCode.harness);
  });
  const { seed, target } = plan;
  emit({ kind: 'wave_started', wave: store.id, seed, target, commit, argv: process.argv.slice(2) });
  if (control !== null) emit({ kind: 'control_arm', ...control });
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
        turns: createTurns(options.turns),
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

/** Never throws: callers are callbacks and clean-up. Evidence that cannot be written any more ends the wave. */
function emitter(log: EventLog, stop: Stop): Emit {
  return (body) => {
    try {
      log.emit(body);
    } catch (error) {
      const lost = error instanceof HarnessError ? error : new HarnessError('evidence-unwritable', errorText(error));
      stop.request({ why: 'evidence_lost', error: lost });
    }
  };
}

interface Conclusion {
  readonly options: RunOptions;
  readonly results: Results;
  readonly store: WaveStore;
  readonly log: EventLog;
}

/** Grades and reports what is on disk. A log that is not whole is worth exit 2, whatever the rest of it says. */
function concludeWave({ options, results, store, log }: Conclusion): PlanEnd {
  const lost = log.failure();
  try {
    const replay = (task: string): string => replayLine(options, store.id, task);
    const how = `npx tsx main.ts ${process.argv.slice(2).join(' ')}`;
    const { record, lines } = concludeStoredWave({ results, store, how, replay });
    if (!options.json) process.stdout.write(`\n${lines.join('\n')}\n`);
    if (lost !== null) throw lost;
    log.emit({ kind: 'wave_ended', exitCode: record.exitCode });
    return { exitCode: record.exitCode, record };
  } catch (error) {
    if (lost === null) throw error;
    process.stderr.write(`restart-chaos: ${lost.code}: ${lost.message}\n`);
    return { exitCode: exitCode.harness, record: null };
  } finally {
    log.close();
  }
}
