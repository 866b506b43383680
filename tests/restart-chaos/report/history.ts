/**
 * What the ledger knows over all waves: which failures are known, since when, and what the control arm shows.
 * Pure: the lines come from evidence/ledger.ts.
 */
import { type ControlTask, wasChecked } from '../model/control-arm.ts';
import type { TaskId, WaveId } from '../model/ids.ts';
import type { KnownFailure, LedgerLine, WaveRecord } from '../model/record.ts';
import { strikeNames } from './ledger-lines.ts';
import { replayCommand } from './words.ts';

type TaskLine = Extract<LedgerLine, { record: 'task' }>;

export interface History {
  /** Failures of this target. */
  readonly known: readonly KnownFailure[];
  /** The last earlier wave with this target. */
  readonly previousWave: WaveId | null;
  /** Tasks of waves that were planned without faults, with this target and time scale, whose rules could be checked. */
  readonly controlTasks: readonly ControlTask[];
}

/** History of a target as it was before a wave (the lines of that wave itself do not count). */
export function readHistory(
  lines: readonly LedgerLine[],
  now: Pick<WaveRecord, 'target' | 'wave' | 'timeScale'>,
): History {
  const earlier = lines.filter((line) => line.wave !== now.wave);
  const waves = earlier.filter((line) => line.record === 'wave').filter((line) => line.target === now.target);
  const control = waves.filter((line) => line.control && line.timeScale === now.timeScale).map((line) => line.wave);
  const tasks = earlier.filter((line) => line.record === 'task');
  return {
    known: knownFailures(earlier).filter((failure) => failure.target === now.target),
    previousWave: waves.at(-1)?.wave ?? null,
    controlTasks: tasks.filter((line) => control.includes(line.wave) && wasChecked(line)),
  };
}

/**
 * Every failure the ledger has seen, by target and signature, in order of first sight. `replay` is the command that
 * repeats a task; the default knows only the default results directory.
 */
export function knownFailures(
  lines: readonly LedgerLine[],
  replay: (wave: WaveId, task: TaskId) => string = replayCommand,
): readonly KnownFailure[] {
  const tasks = lines.filter((line) => line.record === 'task');
  const failures = new Map<string, TaskLine[]>();
  for (const line of tasks) {
    for (const signature of line.signatures) {
      const key = `${line.target}\n${signature}`;
      failures.set(key, [...(failures.get(key) ?? []), line]);
    }
  }
  return [...failures].map(([key, seen]) => {
    const [target = '', signature = ''] = key.split('\n');
    const [first, last] = [seen[0] as TaskLine, seen.at(-1) as TaskLine];
    const couldShow = tasks.filter((line) => line.target === target && mightShow(signature, line));
    return {
      signature,
      target,
      firstWave: first.wave,
      lastWave: last.wave,
      seenIn: new Set(seen.map((line) => line.wave)).size,
      replay: replay(last.wave, last.task),
      status: couldShow.at(-1)?.wave === last.wave ? 'open' : 'not_seen_since',
    };
  });
}

/** A failure of one wave beside the history: which are new, which known, and which known ones are gone. */
export interface FailureDiff {
  readonly new: readonly string[];
  readonly known: readonly KnownFailure[];
  /** Open before; this wave had a task that could have shown it, and did not. */
  readonly resolved: readonly KnownFailure[];
}

/** Compares the signatures of a wave with what is known of its target. */
export function diffAgainstKnown(record: WaveRecord, known: readonly KnownFailure[]): FailureDiff {
  const here = new Set(record.tasks.flatMap(({ grade }) => grade.signatures.map(({ text }) => text)));
  const ofTarget = known.filter((failure) => failure.target === record.target);
  const names = new Set(ofTarget.map((failure) => failure.signature));
  const tasks = record.tasks.map(({ plan, grade }) => {
    const { id, adapter, temperament } = plan;
    const signatures = grade.signatures.map(({ text }) => text);
    return { adapter, temperament, verdict: grade.verdict, crossedBy: strikeNames(record, id, grade), signatures };
  });
  return {
    new: [...here].filter((text) => !names.has(text)),
    known: ofTarget.filter((failure) => here.has(failure.signature)),
    resolved: ofTarget.filter(
      (failure) =>
        failure.status === 'open' &&
        !here.has(failure.signature) &&
        tasks.some((task) => mightShow(failure.signature, task)),
    ),
  };
}

/** A task of the same adapter and temperament, crossed by the same fault, whose rules could be checked. */
function mightShow(
  signature: string,
  task: Pick<TaskLine, 'adapter' | 'temperament' | 'verdict' | 'crossedBy' | 'signatures'>,
): boolean {
  if (task.signatures.includes(signature)) return true;
  const [, fault = '', adapter, temperament] = signature.split(' · ');
  const crossed = task.crossedBy.length === 0 ? fault === 'no fault' : task.crossedBy.includes(fault);
  return wasChecked(task) && crossed && task.adapter === adapter && task.temperament === temperament;
}
