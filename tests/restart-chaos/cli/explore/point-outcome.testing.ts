/** A wave in which one task was crashed at one commit, as the collection of an exploration reads it, and its parts. */
import { passingGrade, failingGrade, sampleRecord, sampleTask } from '../../../fixtures/sample-wave.ts';
import type { EventBody, WaveEvent } from '../../model/event.ts';
import type { CrashPoint, LifeCommit } from '../../model/exploration.ts';
import type { FaultStep, StepProof, Trigger } from '../../model/fault.ts';
import { judged, ruleIds, type RuleId } from '../../model/finding.ts';
import type { TaskGrade, WaveRecord } from '../../model/record.ts';
import { pointOutcome, type PointInWave } from './point-outcome.ts';

export const point: CrashPoint = { commit: 'c01', side: 'before' };
export const trigger: Trigger = { on: 'commit', pattern: 'insert issues', occurrence: 1, side: 'before' };
export type Fault = WaveRecord['faults'][number];

export function fault(more: Partial<Fault> = {}): Fault {
  return {
    ref: 'f01',
    kind: 'K1',
    trigger,
    requestedBy: 't01',
    startedAtMs: 1_000,
    struckAtMs: 1_010,
    readyAtMs: 5_000,
    endedAtMs: 5_000,
    landed: true,
    reason: null,
    readyMs: 3_990,
    proof: [],
    ...more,
  };
}

export const crossedBy: TaskGrade['crossedBy'] = [{ ref: 'f01', kind: 'K1', offsetMs: 0 }];
export const commit: LifeCommit = { id: 'c01', pattern: 'insert issues', occurrence: 1, afterMs: 12 };

/** As an event of the wave; its number is nobody's business here. */
export function at(atMs: number, body: EventBody): WaveEvent {
  return { seq: 1, atMs, wall: new Date(atMs).toISOString(), ...body };
}

export const statements = [
  { verb: 'insert', table: 'issues', columns: ['id'], rows: 1, named: [{ id: 'issue-1' }] },
] as const;

export function heldCommit(more: Partial<Extract<EventBody, { kind: 'commit_held' }>> = {}): WaveEvent {
  const { pattern, occurrence } = commit;
  const named = { pattern, occurrence, side: 'before' } as const;
  return at(1_000, {
    kind: 'commit_held',
    requestedBy: 't01',
    ...named,
    statements,
    backendPid: 61,
    heldAtMs: 1_000,
    transaction: '801',
    ...more,
  });
}

export function step(index: number, what: FaultStep, proof: StepProof, endedAtMs = 1_000 + index * 10): WaveEvent {
  return at(endedAtMs, { kind: 'fault_step', ref: 'f01', index, step: what, startedAtMs: 1_000, endedAtMs, proof });
}

export const killed = step(
  1,
  { step: 'signal', target: 'server', signal: 'SIGKILL' },
  { observed: true, seen: 'SIGKILL' },
);
export const settled = (transaction = '801'): WaveEvent =>
  step(2, { step: 'settle_commit', side: 'before' }, { observed: true, seen: 'aborted', transaction });
export const ready = step(4, { step: 'await_ready', withinMs: 180_000 }, { observed: true, seen: 'ready' }, 5_000);
export const struck: readonly WaveEvent[] = [heldCommit(), killed, settled(), ready];

export const skipped = at(9_000, {
  kind: 'fault_skipped',
  fault: 'K1',
  requestedBy: 't01',
  reason: 'the moment did not come before its task was at rest',
});

export function graded(more: Partial<TaskGrade> = {}): TaskGrade {
  return passingGrade('t01', { crossedBy, ...more });
}

export function failing(...rules: readonly RuleId[]): TaskGrade {
  const sample = failingGrade().signatures[0];
  if (sample === undefined) throw new Error('the sample fails');
  const signatures = rules.map((rule) => {
    const signature = { ...sample.signature, rule, code: `of_${rule.toLowerCase()}` };
    return { signature, text: `${rule} of`, finding: { ...sample.finding, rule } };
  });
  return graded({
    verdict: 'fail',
    signatures,
    rules: ruleIds.map((rule) =>
      judged(
        rule,
        signatures.filter((each) => each.signature.rule === rule).map(({ finding }) => finding),
      ),
    ),
  });
}

export function outcome(
  grade: TaskGrade,
  {
    faults = [fault()],
    events = struck,
    because = [],
    tape = null,
    isShared = false,
    loadAt = () => null,
  }: {
    readonly faults?: readonly Fault[];
    readonly events?: readonly WaveEvent[];
    readonly because?: readonly string[];
    readonly tape?: PointInWave['tape'];
    /** The wave has another point. */
    readonly isShared?: boolean;
    readonly loadAt?: PointInWave['loadAt'];
  } = {},
): ReturnType<typeof pointOutcome> {
  const plan = sampleTask('t01', { faults: [{ kind: 'K1', trigger, parameters: {} }] });
  const other = { plan: sampleTask('t02'), identifier: null, grade: passingGrade('t02') };
  const tasks = [{ plan, identifier: null, grade }, ...(isShared ? [other] : [])];
  const record = sampleRecord({ tasks, faults, because });
  return pointOutcome({ point, commit, task: 't01', session: 0, record, events, tape, loadAt });
}
