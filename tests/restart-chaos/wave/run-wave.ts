/**
 * One wave from its saved plan to its closed plane. Stages, drives, closes; whatever happens in between, the close
 * runs and what was seen is on disk. Failures of ours become `harness_error` events; the caller grades from the disk.
 */
import { readEventLog } from '../evidence/event-reader.ts';
import { errorText, HarnessError, UsageError } from '../model/errors.ts';
import { drive } from './drive.ts';
import { stageWave, type Stage, type WaveContext } from './stage.ts';
import type { Stop } from './stop.ts';
import type { Teardown } from './teardown.ts';

export interface RunWaveOptions {
  readonly context: WaveContext;
  readonly stop: Stop;
  readonly teardown: Teardown;
  /** The command that repeats one task of this wave. */
  readonly replayCommand: (task: string) => string;
}

/**
 * Runs the wave. Throws UsageError when something the user must provide is missing (nothing was started then);
 * everything else that goes wrong is in the event stream.
 */
export async function runWave(options: RunWaveOptions): Promise<void> {
  const { context, stop, teardown } = options;
  const deadline = setTimeout(() => {
    context.emit({ kind: 'wave_deadline', deadlineMs: context.plan.deadlineMs });
    stop.request({ why: 'wave_deadline' });
  }, context.plan.deadlineMs);
  let stage: Stage | null = null;
  try {
    stage = await stageInTurn(options);
    if (stage !== null) await drive(stage, stop);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    reportError(context, error);
  } finally {
    clearTimeout(deadline);
    const failedSteps = await teardown.unwind();
    reportStop(context, stop);
    for (const failed of failedSteps) reportError(context, new HarnessError('close-incomplete', failed));
    if (stage !== null) closeBundles(stage, options.replayCommand);
  }
}

/** Null when the wave was asked to stop before it was its turn: then nothing is started. */
async function stageInTurn({ context, stop, teardown }: RunWaveOptions): Promise<Stage | null> {
  const turn = await context.turns.take(stop.signal);
  try {
    return stop.signal.aborted ? null : await stageWave(context, stop, teardown);
  } finally {
    await turn.end();
  }
}

function reportError(context: WaveContext, error: unknown): void {
  const code = error instanceof HarnessError ? error.code : 'internal';
  context.emit({ kind: 'harness_error', code, message: errorText(error) });
}

function reportStop(context: WaveContext, stop: Stop): void {
  const reason = stop.reason();
  if (reason?.why === 'plane_lost' || reason?.why === 'evidence_lost') reportError(context, reason.error);
  if (reason?.why === 'interrupt') {
    reportError(context, new HarnessError('interrupted', 'the wave was interrupted before all tasks had come to rest'));
  }
}

/** What is derived from the whole stream: timelines, log slices, replay lines. */
function closeBundles(stage: Stage, replayCommand: (task: string) => string): void {
  const { events } = readEventLog(stage.store.paths.events);
  for (const { plan, bundle } of stage.tasks.all()) {
    try {
      bundle.close({ plan, events, replay: replayCommand(plan.id) });
    } catch (error) {
      reportError(stage, error);
    }
  }
}
