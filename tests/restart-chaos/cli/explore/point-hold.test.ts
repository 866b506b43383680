import { describe, expect, it } from 'vitest';
import { unknown } from '../../model/finding.ts';
import type { WriteTransaction } from '../../model/tape.ts';
import { statements, heldCommit, graded, outcome } from '../../../fixtures/sample-crash-point.ts';

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
