/**
 * What a wave says about one crash point. A function of its record and its events: the fault must have landed, once, at
 * the commit that was asked for, and the rules must have been checked; anything else is unproven, with the reason.
 */
import type { WaveEvent } from '../../model/event.ts';
import type { CrashEffect, CrashPoint, PointOutcome, UnprovenReason } from '../../model/exploration.ts';
import type { Trigger } from '../../model/fault.ts';
import { ruleIds, type RuleId } from '../../model/finding.ts';
import type { TaskId } from '../../model/ids.ts';
import type { TaskGrade, WaveRecord } from '../../model/record.ts';

export interface PointInWave {
  readonly point: CrashPoint;
  readonly task: TaskId;
  readonly session: number;
  readonly record: WaveRecord;
  readonly events: readonly WaveEvent[];
}

/** The outcome of a point whose wave left a record. */
export function pointOutcome({ point, task, session, record, events }: PointInWave): PointOutcome {
  const graded = record.tasks.find(({ plan }) => plan.id === task);
  const fault = record.faults.find(({ requestedBy }) => requestedBy === task);
  const because = unprovenBecause({ point, task, session, record, events });
  const grade = graded?.grade;
  return {
    point,
    effect: because !== null || grade === undefined ? 'unproven' : effectOf(grade),
    because,
    wave: record.wave,
    task,
    session,
    codes: because === null && grade !== undefined ? codesOf(grade) : [],
    signatures: because === null ? [...new Set(grade?.signatures.map(({ text }) => text))] : [],
    continuation: grade?.continuation ?? null,
    restStatus: grade?.restStatus ?? null,
    readyMs: fault?.readyMs ?? null,
    restMs: grade?.speed.restMs ?? null,
  };
}

/** The outcome of a point whose wave left nothing that could be read. */
export function failedOutcome(
  point: CrashPoint,
  { task, session, wave, detail }: Pick<PointOutcome, 'task' | 'session' | 'wave'> & { readonly detail: string },
): PointOutcome {
  return {
    point,
    effect: 'unproven',
    because: { reason: 'wave_failed', detail },
    wave,
    task,
    session,
    codes: [],
    signatures: [],
    continuation: null,
    restStatus: null,
    readyMs: null,
    restMs: null,
  };
}

/** Rule and code of each finding that counts, in the order of the rules. */
export function codesOf({ signatures }: Pick<TaskGrade, 'signatures'>): readonly string[] {
  const ordered = signatures.toSorted(
    (left, right) => ruleIds.indexOf(left.signature.rule) - ruleIds.indexOf(right.signature.rule),
  );
  return [...new Set(ordered.map(({ signature }) => `${signature.rule} ${signature.code}`))];
}

// The task is not as it should be. The other rules say how it came there.
const workRules: readonly RuleId[] = ['R1', 'R2', 'T'];

function effectOf({ verdict, rules }: TaskGrade): CrashEffect {
  if (verdict === 'pass') return 'safe';
  return rules.some((result) => result.verdict === 'fail' && workRules.includes(result.rule)) ? 'lost' : 'broke';
}

type Because = NonNullable<PointOutcome['because']>;

function unprovenBecause(about: PointInWave): Because | null {
  const { task, record } = about;
  const grade = record.tasks.find(({ plan }) => plan.id === task)?.grade;
  if (grade === undefined) return because('wave_failed', `${record.wave} has no task ${task}`);
  return strikeProblem(about) ?? gradeProblem(about, grade);
}

/** Null when exactly one fault of the task struck, at its commit, with every step proven. */
function strikeProblem({ point, task, record, events }: PointInWave): Because | null {
  const planned = record.tasks.find(({ plan }) => plan.id === task)?.plan.faults[0]?.trigger;
  const own = record.faults.filter(({ requestedBy }) => requestedBy === task);
  const [fault] = own;
  if (fault === undefined) {
    const skipped = events.find((event) => event.kind === 'fault_skipped' && event.requestedBy === task);
    if (skipped?.kind === 'fault_skipped') return because('never_met', skipped.reason);
    return because('wave_failed', record.because[0] ?? 'its fault was neither begun nor left out');
  }
  if (own.length > 1) return because('not_landed', `${own.length} faults were begun for it`);
  if (!fault.landed) return because('not_landed', fault.reason ?? 'no reason was recorded');
  const held = events.filter((event) => event.kind === 'commit_held' && event.requestedBy === task);
  if (held.length !== 1) return because('not_landed', `its commit was held ${held.length} times`);
  const isAsked = planned?.on === 'commit' && planned.side === point.side && sameCommit(planned, fault.trigger);
  return isAsked ? null : because('not_landed', 'the fault struck at another commit than was asked for');
}

function sameCommit(planned: Trigger & { readonly on: 'commit' }, struck: Trigger): boolean {
  return (
    struck.on === 'commit' &&
    struck.pattern === planned.pattern &&
    struck.occurrence === planned.occurrence &&
    struck.side === planned.side
  );
}

/** The plane was not watched to the end: its last state says nothing about what would have become of the task. */
const cutOff: readonly (string | null)[] = ['interrupt', 'plane_lost', 'wave_deadline'];

function gradeProblem({ record, task }: PointInWave, grade: TaskGrade): Because | null {
  if (cutOff.includes(grade.restReason)) return because('wave_failed', `the task was cut off: ${grade.restReason}`);
  if (grade.verdict === 'unknown' || grade.verdict === 'invalid') {
    return because('unknown', grade.because.join('; ') || grade.verdict);
  }
  // A failure without a name is a task that an interrupt cut off.
  if (grade.verdict === 'fail' && grade.signatures.length === 0) return because('wave_failed', 'the task was cut off');
  const crossed = grade.crossedBy.map(({ ref }) => ref);
  const own = record.faults.find(({ requestedBy }) => requestedBy === task)?.ref;
  const isAlone = crossed.length === 1 && crossed[0] === own;
  return isAlone ? null : because('unknown', `crossed by ${crossed.join(', ') || 'no fault'}, not by its own alone`);
}

function because(reason: UnprovenReason, detail: string): Because {
  return { reason, detail };
}
