/**
 * Reads a wave back from disk, in whatever state it was left. Grading starts from this and from nothing else.
 * Does not judge and does not repair; what is missing is null.
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { HarnessError } from '../model/errors.ts';
import type { WaveEvent } from '../model/event.ts';
import type { FaultRecord, TaskFacts } from '../model/facts.ts';
import type { TaskId, WaveId } from '../model/ids.ts';
import { numbersFor } from '../model/numbers.ts';
import { type WavePlan, wavePlanSchema } from '../model/plan.ts';
import type { WriteTransaction } from '../model/tape.ts';
import { gapsOf, readEventLog } from './event-reader.ts';
import { readJson, readShaped } from './file.ts';
import { oracleShape, sweepShape } from './snapshot-shapes.ts';
import { readManifests, readTruths } from './snapshots.ts';
import type { StageRecord } from './store.ts';
import { gapsOfTape, readTape, tapeCounts } from './tape-reader.ts';
import { transactionsOfTask } from './task-tape.ts';
import { eventsOfTask, lastViews } from './timeline.ts';
import { checkEnd } from './verify-end.ts';
import { wavePaths } from './wave-paths.ts';

/** A wave as it lies on disk. */
export interface StoredWave {
  readonly id: WaveId;
  readonly directory: string;
  readonly plan: WavePlan;
  /** Null when the wave died before the plane was staged. */
  readonly stage: StageRecord | null;
  /** Without `wave_ended`, which is written after grading: grading again must see the same. */
  readonly events: readonly WaveEvent[];
  readonly tornLines: number;
  /** What is missing from the log, in words; null when it is whole. */
  readonly evidenceGaps: string | null;
  /** Null when there is none, and when something is missing from it: half a truth would be taken for all of it. */
  readonly tape: readonly WriteTransaction[] | null;
}

/** Throws HarnessError(`evidence-unreadable`) when there is no wave, no valid plan, or a file of a newer version. */
export function readWave(directory: string): StoredWave {
  const paths = wavePaths(directory);
  if (!existsSync(directory)) {
    throw new HarnessError(
      'evidence-unreadable',
      `there is no wave in ${directory}; the command "waves" lists what there is`,
    );
  }
  const log = readEventLog(paths.events);
  const gaps = gapsOf(log) ?? checkEnd(paths, log.events);
  return {
    id: basename(directory),
    directory,
    plan: readPlan(paths.plan),
    stage: readJson<StageRecord>(paths.stage),
    events: log.events.filter(({ kind }) => kind !== 'wave_ended'),
    tornLines: log.tornLines,
    evidenceGaps: gaps === null ? null : `the event log ${gaps}`,
    tape: readWholeTape(paths.tape, log.events),
  };
}

function readWholeTape(path: string, events: readonly WaveEvent[]): readonly WriteTransaction[] | null {
  const tape = readTape(path);
  return tape === null || gapsOfTape(tape, tapeCounts(events)) !== null ? null : tape.transactions;
}

/**
 * Checks the shape of a saved plan only: a wave that ran was planned by plan/ or read by plan/read-plan.ts, which also
 * refuses repeated ids and parameters that no fault has. Throws HarnessError(`evidence-unreadable`) with every problem.
 */
function readPlan(path: string): WavePlan {
  const value = readJson<WavePlan>(path);
  if (value === null) {
    throw new HarnessError(
      'evidence-unreadable',
      `${path} is missing, empty or not JSON: the wave died before its plan was saved, or the file was damaged`,
    );
  }
  const parsed = wavePlanSchema.safeParse(value);
  if (parsed.success) return value;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'plan'}: ${issue.message}`);
  throw new HarnessError('evidence-unreadable', `${path} is not a plan:\n  ${problems.join('\n  ')}`);
}

/**
 * Everything a rule may look at for one task. `faults` is folded from `wave.events` by grade/, which this layer may
 * not import. Board views come from the timeline, because the dumps hold the plane's words and not ours.
 */
export function readTaskFacts(wave: StoredWave, task: TaskId, faults: readonly FaultRecord[]): TaskFacts {
  const plan = wave.plan.tasks.find((candidate) => candidate.id === task);
  if (plan === undefined) {
    const known = wave.plan.tasks.map((candidate) => candidate.id).join(', ');
    throw new HarnessError('evidence-unreadable', `wave ${wave.id} has no task ${task}; it has ${known}`);
  }
  const paths = wavePaths(wave.directory).task(task);
  const timeline = eventsOfTask(wave.events, task);
  return {
    plan,
    numbers: numbersFor(wave.plan.timeScale),
    dialect: wave.stage?.dialect ?? 'unknown',
    timeline,
    evidenceGaps: wave.evidenceGaps,
    faults,
    ...lastViews(timeline),
    truth: readTruths(paths),
    manifests: readManifests(paths),
    sweep: readShaped(paths.sweep, sweepShape),
    oracle: readShaped(paths.oracle, oracleShape),
    tape: wave.tape === null ? null : transactionsOfTask(wave.tape, task),
    otherWorktrees: worktreesOfOthers(wave, task),
  };
}

function worktreesOfOthers(wave: StoredWave, task: TaskId): Readonly<Record<TaskId, string>> {
  const worktrees: Record<TaskId, string> = {};
  for (const event of wave.events) {
    if (event.kind !== 'issue_seen' || event.task === task || event.issue.workspaceCwd === null) continue;
    worktrees[event.task] = event.issue.workspaceCwd;
  }
  return worktrees;
}
