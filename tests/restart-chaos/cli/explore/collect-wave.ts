/** Reads what a wave of an exploration left: the life of recorded tasks, or the outcomes of points. Judges nothing. */
import { join } from 'node:path';
import { readRecord } from '../../evidence/grades.ts';
import type { Results } from '../../evidence/store.ts';
import { readWave, type StoredWave } from '../../evidence/wave-reader.ts';
import { errorText, HarnessError } from '../../model/errors.ts';
import {
  pointName,
  type CrashPoint,
  type DealtWave,
  type LifeCommit,
  type PointOutcome,
  type RecordingWave,
  type UnsteadyCommit,
} from '../../model/exploration.ts';
import { formatTaskId, type WaveId } from '../../model/ids.ts';
import { invariant } from '../../model/invariant.ts';
import type { WaveRecord } from '../../model/record.ts';
import { recordedTasks } from '../../plan/explore-plan.ts';
import { commitsOf, livesOf, recurringCommits } from '../../plan/explore-points.ts';
import { gradeStoredWave } from '../grade-stored-wave.ts';
import type { LoadWatch } from './load-watch.ts';
import { codesOf, failedOutcome, pointOutcome } from './point-outcome.ts';
import { leftoversOf } from './wave-troubles.ts';

export interface RecordedLife {
  readonly recording: Omit<RecordingWave, 'startedAt' | 'endedAt'>;
  readonly commits: readonly LifeCommit[];
  readonly unsteady: readonly UnsteadyCommit[];
}

/**
 * The life of the tasks of a recording wave. Throws HarnessError when it is no record of three tasks that were done, or
 * its tape is not whole.
 */
export function collectRecording(results: Results, wave: WaveId): RecordedLife {
  const stored = readWave(join(results.waves, wave));
  const record = recordOf(stored);
  const lives = livesOf(stored.events);
  const done = record.tasks.filter(({ grade }) => grade.restStatus === 'done' && grade.restReason !== 'interrupt');
  if (stored.tape === null || lives.length !== recordedTasks || done.length !== recordedTasks) {
    const tape = stored.tape === null ? 'it has no whole tape' : 'its tape is whole';
    throw new HarnessError(
      'evidence-unreadable',
      `the wave ${wave} records no life of ${recordedTasks} tasks: ${done.length} of ${lives.length} ended done, ${tape}` +
        `${record.because.length === 0 ? '' : `; it says: ${record.because.join('; ')}`}. See its SUMMARY.md`,
    );
  }
  const { tape } = stored;
  const tasks = lives.map((life) => commitsOf(tape, life));
  return {
    recording: {
      wave,
      commits: tasks.map((commits) => commits.length),
      codes: [
        ...new Set([
          ...record.tasks.flatMap(({ grade }) => codesOf(grade)),
          ...leftoversOf(stored.events).map(({ code }) => code),
        ]),
      ],
    },
    ...recurringCommits(tasks),
  };
}

export interface WaveToCollect {
  readonly dealt: Pick<DealtWave, 'wave' | 'points' | 'session' | 'exitCode'>;
  /** Of the exploration. */
  readonly commits: readonly LifeCommit[];
  /** The file with what the harness said. */
  readonly log: string;
  readonly loadAt: LoadWatch['at'];
}

/** What a wave that has ended says of its points, and of itself beside them. Never throws. */
export function collectPoints(
  results: Results,
  { dealt, commits, log, loadAt }: WaveToCollect,
): { readonly outcomes: readonly PointOutcome[]; readonly troubles: readonly string[] } {
  const { wave, points, session, exitCode } = dealt;
  const failed = (detail: string): ReturnType<typeof collectPoints> => ({
    outcomes: points.map((point, index) =>
      failedOutcome(point, { task: formatTaskId(index + 1), session, wave, detail }),
    ),
    troubles: [detail],
  });
  if (wave === null)
    return failed(`its harness ended with ${exitCode ?? 'a signal'} before it made a wave; log: ${log}`);
  try {
    const stored = readWave(join(results.waves, wave));
    const record = recordOf(stored);
    const { events, tape } = stored;
    return {
      outcomes: points.map((point, index) => {
        const task = formatTaskId(index + 1);
        const commit = commitOf(commits, point);
        return pointOutcome({ point, commit, task, session, record, events, tape, loadAt });
      }),
      troubles: record.because.filter((line) => !isOfTask(line)).slice(0, mostTroubles),
    };
  } catch (error) {
    return failed(`${wave} could not be read: ${errorText(error)}`);
  }
}

function commitOf(commits: readonly LifeCommit[], point: CrashPoint): LifeCommit {
  const commit = commits.find(({ id }) => id === point.commit);
  invariant(commit !== undefined, `the point ${pointName(point)} belongs to a recorded commit`);
  return commit;
}

// More of the same teaches nobody anything; the wave's own summary has all of it.
const mostTroubles = 3;

/** A wave whose harness died has no record, and can be graded all the same. */
function recordOf(stored: StoredWave): WaveRecord {
  return readRecord(stored.directory) ?? gradeStoredWave(stored);
}

/** `t03 is unknown: …` is said with the point. */
function isOfTask(line: string): boolean {
  return /^t\d{2,} /.test(line);
}
