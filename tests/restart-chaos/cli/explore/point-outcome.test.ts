import { describe, expect, it } from 'vitest';
import type { WaveEvent } from '../../model/event.ts';
import type { Trigger } from '../../model/fault.ts';
import type { RuleId } from '../../model/finding.ts';
import { codesOf } from './point-outcome.ts';
import {
  trigger,
  fault,
  crossedBy,
  at,
  heldCommit,
  step,
  killed,
  settled,
  ready,
  struck,
  skipped,
  graded,
  failing,
  outcome,
} from '../../../fixtures/sample-crash-point.ts';

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
    ['N2', 'broke'],
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

describe('codesOf', () => {
  it('has each code once, in the order of the rules', () => {
    expect(codesOf(failing('T', 'R1', 'R3', 'R1'))).toEqual(['R1 of_r1', 'R3 of_r3', 'T of_t']);
  });
});
