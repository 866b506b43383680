import { describe, expect, it } from 'vitest';
import { passingGrade, failingGrade, sampleRecord, sampleTask } from '../../../fixtures/sample-wave.ts';
import type { WaveEvent } from '../../model/event.ts';
import type { CrashPoint } from '../../model/exploration.ts';
import type { Trigger } from '../../model/fault.ts';
import { judged, ruleIds, type RuleId } from '../../model/finding.ts';
import type { TaskGrade, WaveRecord } from '../../model/record.ts';
import { codesOf, pointOutcome } from './point-outcome.ts';

const point: CrashPoint = { commit: 'c01', side: 'before' };
const trigger: Trigger = { on: 'commit', pattern: 'insert issues', occurrence: 1, side: 'before' };
type Fault = WaveRecord['faults'][number];

function fault(more: Partial<Fault> = {}): Fault {
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

const crossedBy: TaskGrade['crossedBy'] = [{ ref: 'f01', kind: 'K1', offsetMs: 0 }];
const held = { kind: 'commit_held', requestedBy: 't01', seq: 1, atMs: 1_000, wall: '' } as unknown as WaveEvent;
const skipped = {
  kind: 'fault_skipped',
  fault: 'K1',
  requestedBy: 't01',
  reason: 'the moment did not come before its task was at rest',
  seq: 2,
  atMs: 9_000,
  wall: '',
} as unknown as WaveEvent;

function graded(more: Partial<TaskGrade> = {}): TaskGrade {
  return passingGrade('t01', { crossedBy, ...more });
}

function failing(...rules: readonly RuleId[]): TaskGrade {
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

function outcome(
  grade: TaskGrade,
  {
    faults = [fault()],
    events = [held],
    because = [],
  }: {
    readonly faults?: readonly Fault[];
    readonly events?: readonly WaveEvent[];
    readonly because?: readonly string[];
  } = {},
): ReturnType<typeof pointOutcome> {
  const plan = sampleTask('t01', { faults: [{ kind: 'K1', trigger, parameters: {} }] });
  const record = sampleRecord({ tasks: [{ plan, identifier: null, grade }], faults, because });
  return pointOutcome({ point, task: 't01', session: 0, record, events });
}

describe('pointOutcome', () => {
  it('is safe when the fault landed at the commit and every promise was kept', () => {
    expect(outcome(graded())).toMatchObject({ effect: 'safe', because: null, readyMs: 3_990, codes: [] });
  });

  it.each<readonly [RuleId, string]>([
    ['R1', 'lost'],
    ['R2', 'lost'],
    ['T', 'lost'],
    ['R3', 'broke'],
    ['R4', 'broke'],
    ['R5', 'broke'],
    ['R6', 'broke'],
  ])('of a task that fails %s is %s', (rule, effect) => {
    expect(outcome(failing(rule))).toMatchObject({
      effect,
      because: null,
      codes: [`${rule} of_${rule.toLowerCase()}`],
    });
  });

  const rows: readonly (readonly [string, ReturnType<typeof outcome>, string, RegExp])[] = [
    ['a moment that did not come', outcome(graded(), { faults: [], events: [skipped] }), 'never_met', /did not come/],
    [
      'a wave that ended before',
      outcome(graded(), { faults: [], events: [], because: ['interrupted: SIGINT'] }),
      'wave_failed',
      /SIGINT/,
    ],
    [
      'a step without proof',
      outcome(graded(), { faults: [fault({ landed: false, reason: 'no exit' })] }),
      'not_landed',
      /no exit/,
    ],
    ['two faults', outcome(graded(), { faults: [fault(), fault({ ref: 'f02' })] }), 'not_landed', /2 faults/],
    ['a commit held twice', outcome(graded(), { events: [held, held] }), 'not_landed', /held 2 times/],
    ['a commit never held', outcome(graded(), { events: [] }), 'not_landed', /held 0 times/],
    [
      'another commit',
      outcome(graded(), { faults: [fault({ trigger: { ...trigger, occurrence: 2 } as Trigger })] }),
      'not_landed',
      /another commit/,
    ],
    [
      'the other side',
      outcome(graded(), { faults: [fault({ trigger: { ...trigger, side: 'after' } as Trigger })] }),
      'not_landed',
      /another commit/,
    ],
    [
      'a time',
      outcome(graded(), { faults: [fault({ trigger: { on: 'time', offsetMs: 1 } })] }),
      'not_landed',
      /another commit/,
    ],
    [
      'rules that could not be checked',
      outcome(graded({ verdict: 'unknown', because: ['R2: no snapshot'] })),
      'unknown',
      /no snapshot/,
    ],
    ['an invalid task', outcome(graded({ verdict: 'invalid', because: ['not landed'] })), 'unknown', /not landed/],
    [
      'a task crossed by another fault, too',
      outcome(graded({ crossedBy: [...crossedBy, { ref: 'f02', kind: 'K1', offsetMs: 5 }] })),
      'unknown',
      /f01, f02/,
    ],
    ['a task that its fault did not cross', outcome(graded({ crossedBy: [] })), 'unknown', /no fault/],
    [
      'a task cut off by an interrupt',
      outcome(graded({ verdict: 'fail', restReason: 'interrupt' })),
      'wave_failed',
      /interrupt/,
    ],
    [
      'a plane that did not come back',
      outcome(graded({ verdict: 'fail', restReason: 'plane_lost' })),
      'wave_failed',
      /plane_lost/,
    ],
    ['a failure without a name', outcome(graded({ verdict: 'fail', signatures: [] })), 'wave_failed', /cut off/],
    ['no such task', outcome({ ...graded() }, { faults: [], events: [] }), 'wave_failed', /neither begun nor left out/],
  ];

  it.each(rows)('is never proven by %s', (_name, result, reason, detail) => {
    expect(result.effect).toBe('unproven');
    expect(result.because?.reason).toBe(reason);
    expect(result.because?.detail).toMatch(detail);
    expect(result.codes).toEqual([]);
  });
});

describe('codesOf', () => {
  it('has each code once, in the order of the rules', () => {
    expect(codesOf(failing('T', 'R1', 'R3', 'R1'))).toEqual(['R1 of_r1', 'R3 of_r3', 'T of_t']);
  });
});
