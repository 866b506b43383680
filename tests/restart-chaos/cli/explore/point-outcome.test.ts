import { describe, expect, it } from 'vitest';
import { passingGrade, failingGrade, sampleRecord, sampleTask } from '../../../fixtures/sample-wave.ts';
import type { EventBody, WaveEvent } from '../../model/event.ts';
import type { CrashPoint, LifeCommit } from '../../model/exploration.ts';
import type { FaultStep, StepProof, Trigger } from '../../model/fault.ts';
import { judged, ruleIds, unknown, type RuleId } from '../../model/finding.ts';
import type { TaskGrade, WaveRecord } from '../../model/record.ts';
import type { WriteTransaction } from '../../model/tape.ts';
import { codesOf, pointOutcome, type PointInWave } from './point-outcome.ts';

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
const commit: LifeCommit = { id: 'c01', pattern: 'insert issues', occurrence: 1, afterMs: 12 };

/** As an event of the wave; its number is nobody's business here. */
function at(atMs: number, body: EventBody): WaveEvent {
  return { seq: 1, atMs, wall: new Date(atMs).toISOString(), ...body };
}

const statements = [{ verb: 'insert', table: 'issues', columns: ['id'], rows: 1, named: [{ id: 'issue-1' }] }] as const;

function heldCommit(more: Partial<Extract<EventBody, { kind: 'commit_held' }>> = {}): WaveEvent {
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

function step(index: number, what: FaultStep, proof: StepProof, endedAtMs = 1_000 + index * 10): WaveEvent {
  return at(endedAtMs, { kind: 'fault_step', ref: 'f01', index, step: what, startedAtMs: 1_000, endedAtMs, proof });
}

const killed = step(1, { step: 'signal', target: 'server', signal: 'SIGKILL' }, { observed: true, seen: 'SIGKILL' });
const settled = (transaction = '801'): WaveEvent =>
  step(2, { step: 'settle_commit', side: 'before' }, { observed: true, seen: 'aborted', transaction });
const ready = step(4, { step: 'await_ready', withinMs: 180_000 }, { observed: true, seen: 'ready' }, 5_000);
const struck: readonly WaveEvent[] = [heldCommit(), killed, settled(), ready];

const skipped = at(9_000, {
  kind: 'fault_skipped',
  fault: 'K1',
  requestedBy: 't01',
  reason: 'the moment did not come before its task was at rest',
});

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
    ['N5', 'broke'],
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
    ['a commit held twice', outcome(graded(), { events: [heldCommit(), ...struck] }), 'not_landed', /held 2 times/],
    ['a commit never held', outcome(graded(), { events: struck.slice(1) }), 'not_landed', /held 0 times/],
    [
      'a held commit of another pattern than was recorded',
      outcome(graded(), { events: [heldCommit({ pattern: 'update issues' }), ...struck.slice(1)] }),
      'not_landed',
      /another commit/,
    ],
    [
      'another transaction than the one that was held',
      outcome(graded(), { events: [heldCommit(), killed, settled('802'), ready] }),
      'not_landed',
      /transaction 801 was held, and that of 802 was settled/,
    ],
    [
      'a held transaction without a number',
      outcome(graded(), { events: [heldCommit({ transaction: '' }), killed, settled(''), ready] }),
      'not_landed',
      /transaction none was held/,
    ],
    [
      'a transaction of which nobody saw what became of it',
      outcome(graded(), { events: [heldCommit(), killed, ready] }),
      'not_landed',
      /was not seen/,
    ],
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

describe('a plane that did not come back from a proven strike', () => {
  const wait = { step: 'await_ready', withinMs: 180_000 } as const;
  const notReady = step(
    4,
    wait,
    { observed: false, seen: 'boot 2: not ready within 180000 ms. Last lines of /tmp/a.log:' },
    181_000,
  );
  const unlanded = [fault({ landed: false, reason: 'step 5 (await_ready)', readyAtMs: null, readyMs: null })];
  const events = [heldCommit(), killed, settled(), notReady];
  const invalid = graded({ verdict: 'invalid', because: ['did not land'], crossedBy: [], restReason: 'plane_lost' });

  it('is an outcome of its own, and says how busy the machine was', () => {
    const loadAt = (wallMs: number) => (wallMs === 181_000 ? { load: 25.06, processors: 2 } : null);
    expect(outcome(invalid, { faults: unlanded, events, loadAt })).toMatchObject({
      effect: 'down',
      because: {
        reason: 'not_back',
        detail:
          'boot 2: not ready within 180000 ms; the load of this machine then was 25.1 on 2 processors; an overloaded one can be the reason',
      },
      codes: ['not_ready'],
      signatures: ['not_ready · K1 · scripted · sturdy'],
      continuation: null,
    });
    expect(outcome(invalid, { faults: unlanded, events }).because?.detail).toMatch(/is not known/);
  });

  it.each<readonly [string, readonly WaveEvent[]]>([
    ['the strike is not proven', [heldCommit(), killed, notReady]],
    ['it struck another transaction', [heldCommit(), killed, settled('802'), notReady]],
    [
      'our own start of it failed',
      [...events.slice(0, 3), step(3, { step: 'start', target: 'server' }, { observed: false, seen: 'EAGAIN' })],
    ],
    [
      'it was ready too early to be struck again',
      [
        ...events.slice(0, 3),
        at(1_030, { kind: 'boot_ready', boot: 2, sinceStartMs: 30 }),
        step(4, { step: 'await_listening', withinMs: 1 }, { observed: false, seen: 'the plane was ready before' }),
      ],
    ],
  ])('is nothing but unproven when %s', (_name, seen) => {
    expect(outcome(invalid, { faults: unlanded, events: seen })).toMatchObject({
      effect: 'unproven',
      because: { reason: 'not_landed' },
    });
  });
});

describe('what a wave shows beside the rules', () => {
  const rest = at(60_000, { kind: 'rest', task: 't01', rest: { reason: 'settled', status: 'done', sinceMs: 50_000 } });
  const server = { pid: 4800, startTime: '200' };
  const ended = (atMs: number): WaveEvent =>
    at(atMs, { kind: 'server_exit_unexpected', boot: 2, process: server, signal: null, code: 1 });
  const recovered = (atMs: number): WaveEvent =>
    at(atMs, { kind: 'plane_recovery', reason: 'the database ended', ok: true, durationMs: 5_000 });
  const changed = at(6_000, { kind: 'company_read_back', ok: false, unreachable: false, detail: 'no agents' });
  const unread = at(6_000, { kind: 'company_read_back', ok: false, unreachable: true, detail: 'refused' });
  const leftover = at(70_000, { kind: 'orphan_leftover', what: 'lease', id: 'l1', note: 'active' });

  it.each<readonly [string, WaveEvent, string]>([
    ['a server that ended by itself', ended(9_000), 'server_exit_unexpected'],
    ['a plane that had to be brought back', recovered(9_000), 'plane_recovery'],
    ['one that was being brought back when the task rested', recovered(62_000), 'plane_recovery'],
    ['a company that is not as before', changed, 'company_changed'],
  ])('is no safe point: %s', (_name, event, code) => {
    const events = [...struck, event, rest];
    expect(outcome(graded(), { events })).toMatchObject({
      effect: 'broke',
      because: { reason: 'wave_trouble' },
      codes: [code],
      signatures: [`${code} · K1 · scripted · sturdy`],
    });
    expect(outcome(failing('R1'), { events })).toMatchObject({ effect: 'lost', codes: ['R1 of_r1', code] });
    // Else the next try could be safe, and nobody would know.
    expect(outcome(graded({ verdict: 'unknown' }), { events })).toMatchObject({ effect: 'broke', codes: [code] });
  });

  it.each<readonly [string, WaveEvent]>([
    ['before the strike', ended(900)],
    ['after the rest', ended(60_001)],
    ['begun after the rest', recovered(65_001)],
    ['a company that could not be read', unread],
  ])('takes nothing from a point otherwise: %s', (_name, event) => {
    expect(outcome(graded(), { events: [...struck, rest, event] }).effect).toBe('safe');
  });

  it('proves no safe point while it cannot be said which one left something, and breaks the one that was alone', () => {
    const events = [...struck, rest, leftover];
    expect(outcome(graded(), { events, isShared: true })).toMatchObject({
      effect: 'unproven',
      because: { reason: 'leftover', detail: 'left without an owner: lease l1 active' },
    });
    expect(outcome(graded(), { events })).toMatchObject({ effect: 'broke', codes: ['orphan_leftover'] });
    const cutOff = [...events, at(80_000, { kind: 'interrupt', signal: 'SIGINT', count: 1 })];
    expect(outcome(graded(), { events: cutOff }).effect).toBe('unproven');
    expect(outcome(failing('R3'), { events, isShared: true })).toMatchObject({ effect: 'broke', codes: ['R3 of_r3'] });
  });
});

describe('what an outcome says beside its effect', () => {
  const written = (table: string, more: Partial<WriteTransaction> = {}): WriteTransaction => ({
    seq: 1,
    connection: 1,
    beganAtMs: 1_003,
    askedAtMs: 1_004,
    endedAtMs: 1_005,
    outcome: 'committed',
    statements: [{ verb: 'update', table, columns: ['x'], rows: 1, named: [] }],
    tasks: ['t01'],
    ...more,
  });

  it('how long the commit was held, and what else the task committed until the server was gone', () => {
    const tape = [
      written('too_early', { endedAtMs: 999 }),
      written('between'),
      written('of_another_task', { tasks: ['t02'] }),
      written('rolled_back', { outcome: 'rolled_back' }),
      written('cut_off', { outcome: 'unknown' }),
      written('in_flight', { askedAtMs: 1_009, endedAtMs: 2_000 }),
      written('its_own', { askedAtMs: 900, endedAtMs: 1_006, statements }),
      written('of_the_next_boot', { askedAtMs: 6_000, endedAtMs: 6_001 }),
    ];
    expect(outcome(graded(), { tape }).held).toEqual({
      ms: 10,
      others: ['update between set x', 'update cut_off set x (perhaps)', 'update in_flight set x'],
    });
    expect(outcome(graded(), { tape: [] }).held).toEqual({ ms: 10, others: [] });
    expect(outcome(graded()).held).toEqual({ ms: 10, others: null });
    expect(outcome(graded(), { events: [heldCommit()] }).held).toBeNull();
  });

  it('which rule beside the others could not be judged', () => {
    const rules = graded().rules.map((rule) => (rule.rule === 'N5' ? unknown('N5', 'no tape') : rule));
    expect(outcome(graded({ rules }))).toMatchObject({ effect: 'safe', unjudged: ['N5'] });
    expect(outcome(graded())).toMatchObject({ effect: 'safe', unjudged: [] });
  });
});

describe('codesOf', () => {
  it('has each code once, in the order of the rules', () => {
    expect(codesOf(failing('T', 'R1', 'R3', 'R1'))).toEqual(['R1 of_r1', 'R3 of_r3', 'T of_t']);
  });
});
