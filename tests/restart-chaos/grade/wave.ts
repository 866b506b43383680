/**
 * The verdict of a whole wave, from its tasks and from what no task owns. Nothing crossed proves nothing, so such a
 * wave is never a pass; the control arm has no fault to be crossed by and is judged like any set of tasks.
 */
import type { WaveEvent } from '../model/event.ts';
import { exitCode, type ExitCode } from '../model/exit-code.ts';
import type { Verdict } from '../model/finding.ts';
import type { WavePlan } from '../model/plan.ts';
import type { TaskGrade, WaveRecord } from '../model/record.ts';
import type { WaveRuleResult } from '../model/wave-rule.ts';
import { faultsFromEvents, provenFaults } from './faults-from-events.ts';
import { n7Plane } from './n7-plane.ts';
import type { EventOf } from './timeline.ts';

export interface WaveGrade extends Pick<
  WaveRecord,
  'verdict' | 'because' | 'exitCode' | 'harnessErrors' | 'orphans' | 'faults'
> {
  readonly waveRules: readonly WaveRuleResult[];
  /** Tasks that a landed fault crossed. */
  readonly crossed: number;
}

export interface WaveToGrade {
  readonly plan: WavePlan;
  readonly events: readonly WaveEvent[];
  readonly grades: readonly TaskGrade[];
  /** Why lines are missing from the event log; null when it is whole. */
  readonly evidenceGaps: string | null;
}

/** Judges a wave. Events that come later (the close) change harness errors and exit code: grade again with them. */
export function gradeWave({ plan, events, grades, evidenceGaps }: WaveToGrade): WaveGrade {
  const harnessErrors = harnessErrorsOf(events);
  const orphans = orphansOf(events);
  const waveRules = [n7Plane(events, evidenceGaps)];
  const failures = [...waveFailures(events), ...waveRules.flatMap(brokenPromises)];
  const crossed = grades.filter(({ crossedBy }) => crossedBy.length > 0).length;
  const doubts = [
    ...(evidenceGaps ? [evidenceGaps] : []),
    ...doubtsOf(plan, grades, crossed),
    ...unreadCompanies(events),
  ];
  // While the harness itself has an error, nothing may be called passed.
  const verdict = verdictOf(grades, failures, [...harnessErrors, ...doubts].length > 0);
  const invalid = grades.some((grade) => grade.verdict === 'invalid');
  return {
    verdict,
    exitCode: exitCodeFor(verdict, harnessErrors.length > 0 || invalid),
    harnessErrors,
    orphans,
    faults: provenFaults(events),
    because: [...harnessErrors.map(({ code, message }) => `${code}: ${message}`), ...failures, ...doubts],
    waveRules,
    crossed,
  };
}

function brokenPromises({ findings }: WaveRuleResult): readonly string[] {
  return findings.map(({ rule, code, expected, seen }) => `${rule} ${code}: expected ${expected}; ${seen}`);
}

/**
 * The worst thing decides. A wave with passes and unknowns and no failure is inconclusive, also in the control arm:
 * 0 promises that every task passed, and a script that reads it must be able to rely on that. What the control arm is
 * spared is the doubt that nothing crossed it, so that its ordinary result is 0.
 */
function exitCodeFor(verdict: Verdict, harnessFailed: boolean): ExitCode {
  if (harnessFailed || verdict === 'invalid') return exitCode.harness;
  if (verdict === 'fail') return exitCode.failed;
  return verdict === 'pass' ? exitCode.passed : exitCode.inconclusive;
}

function verdictOf(grades: readonly TaskGrade[], failures: readonly string[], isDoubtful: boolean): Verdict {
  if (failures.length > 0 || grades.some(({ verdict }) => verdict === 'fail')) return 'fail';
  if (grades.length > 0 && grades.every(({ verdict }) => verdict === 'invalid')) return 'invalid';
  return isDoubtful ? 'unknown' : 'pass';
}

function doubtsOf(plan: WavePlan, grades: readonly TaskGrade[], crossed: number): readonly string[] {
  const controlArm = plan.tasks.every(({ faults }) => faults.length === 0);
  const ungraded = plan.tasks.filter(({ id }) => !grades.some(({ task }) => task === id));
  const unproven = grades.filter(({ verdict }) => verdict === 'unknown' || verdict === 'invalid');
  return [
    ...(crossed === 0 && !controlArm ? ['no task was crossed by a fault that landed'] : []),
    ...ungraded.map(({ id }) => `${id} has no grade`),
    ...unproven.map(({ task, verdict, because }) => `${task} is ${verdict}: ${because.join('; ')}`),
  ];
}

/** What fails the wave and no task: something that nobody owns was left, or stored data was not readable any more. */
function waveFailures(events: readonly WaveEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.kind === 'server_exit_unexpected') {
      return [`the server of boot ${event.boot} ended without being asked to (${howEnded(event)})`];
    }
    if (event.kind === 'orphan_leftover') return [`left without an owner: ${event.what} ${event.id} (${event.note})`];
    const lost = event.kind === 'company_read_back' && isLossSeen(events, event);
    return lost ? [`the company was not as before after a fault: ${event.detail}`] : [];
  });
}

/** A read without an answer says nothing about what is stored, nor does one after a fault that did not land. */
function isLossSeen(events: readonly WaveEvent[], readBack: EventOf<'company_read_back'>): boolean {
  const last = faultsFromEvents(events).findLast(({ endedAtMs }) => endedAtMs !== null && endedAtMs <= readBack.atMs);
  return !readBack.ok && !readBack.unreachable && last?.landed === true;
}

function unreadCompanies(events: readonly WaveEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.kind === 'company_read_back' && !event.ok && !isLossSeen(events, event)
      ? [`whether the company is as before could not be read: ${event.detail}`]
      : [],
  );
}

function orphansOf(events: readonly WaveEvent[]): WaveRecord['orphans'] {
  return events.flatMap((event) =>
    event.kind === 'orphan_leftover' ? [{ what: event.what, id: event.id, note: event.note }] : [],
  );
}

type HarnessFailure = WaveRecord['harnessErrors'][number];

/** Errors on record, and those that other events imply when nobody recorded them. */
function harnessErrorsOf(events: readonly WaveEvent[]): readonly HarnessFailure[] {
  const recorded = events.flatMap((event) =>
    event.kind === 'harness_error' ? [{ code: event.code, message: event.message }] : [],
  );
  const implied = [...unlandedFaults(events), ...events.flatMap(impliedError)];
  const known = new Set(recorded.map(({ code }) => code));
  return [...recorded, ...implied.filter(({ code }) => !known.has(code))];
}

function unlandedFaults(events: readonly WaveEvent[]): readonly HarnessFailure[] {
  return provenFaults(events)
    .filter(({ landed }) => !landed)
    .map(({ ref, kind, endedAtMs, reason }) => ({
      code: endedAtMs === null ? 'interrupted' : 'fault-not-landed',
      message: `fault ${ref} (${kind}): ${reason ?? 'no reason recorded'}`,
    }));
}

function impliedError(event: WaveEvent): readonly HarnessFailure[] {
  if (event.kind === 'interrupt') return [{ code: 'interrupted', message: `${event.signal} ended the wave` }];
  // The database is ours: whatever ended it, the plane did not.
  if (event.kind === 'postgres_exit' && !event.expected) {
    return [
      { code: 'postgres-exit-unasked', message: `the database ended without being asked to (${howEnded(event)})` },
    ];
  }
  if (event.kind === 'plane_recovery' && !event.ok) return [{ code: 'plane-recovery-failed', message: event.reason }];
  if (event.kind !== 'close_step' || event.ok) return [];
  return [{ code: 'close-incomplete', message: `${event.step}: ${event.detail}` }];
}

function howEnded({ signal, code }: Pick<EventOf<'postgres_exit'>, 'signal' | 'code'>): string {
  return signal ?? `code ${code}`;
}
