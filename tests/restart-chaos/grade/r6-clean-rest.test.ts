import { expect, test } from 'vitest';
import type { LeftoverKind } from '../model/evidence.ts';
import type { TaskFacts } from '../model/facts.ts';
import * as given from './facts.testing.ts';
import { r6CleanRest } from './r6-clean-rest.ts';
import { expectedOf, outcomeOf, titled, type RuleRow } from './rule-table.testing.ts';

const kinds: readonly LeftoverKind[] = [
  'run',
  'wake',
  'lease',
  'operation',
  'lock',
  'recovery_action',
  'agent',
  'process',
];

function left(...what: readonly LeftoverKind[]): TaskFacts {
  const leftovers = what.map((kind, index) => ({ kind, id: `${kind}-${index}`, note: 'still there' }));
  return given.goodFacts({ sweep: given.sweep({ leftovers }) });
}

function endedBy(reason: 'interrupt' | 'wave_deadline' | 'deadline'): TaskFacts {
  const timeline = given.life([...given.beginning, given.restAt(given.restMs, { reason, status: 'in_progress' })]);
  return { ...left('run'), timeline };
}

const unreadable = given.sweep({ errors: [{ read: 'workspace operations', error: 'HTTP 500' }] });

const rows: readonly RuleRow[] = [
  { situation: 'nothing is left', facts: given.goodFacts(), verdict: 'pass' },
  ...kinds.map((kind): RuleRow => ({
    situation: `one ${kind} is left`,
    facts: left(kind),
    verdict: 'fail',
    codes: [`left_${kind}`],
  })),
  {
    situation: 'two leases and a lock are left',
    facts: left('lease', 'lock', 'lease'),
    verdict: 'fail',
    codes: ['left_lease', 'left_lock'],
  },
  {
    situation: 'one part could not be looked at',
    facts: given.goodFacts({ sweep: unreadable }),
    verdict: 'fail',
    codes: ['sweep_error'],
  },
  { situation: 'the sweep is missing', facts: given.goodFacts({ sweep: null }), verdict: 'unknown' },
  { situation: 'a run is left at an interrupt', facts: endedBy('interrupt'), verdict: 'unknown' },
  { situation: 'a run is left at the deadline of the wave', facts: endedBy('wave_deadline'), verdict: 'unknown' },
  {
    situation: 'a run is left at the deadline of the task',
    facts: endedBy('deadline'),
    verdict: 'fail',
    codes: ['left_run'],
  },
];

test.each(titled(rows))('%s', (_title, row) => {
  expect(outcomeOf(r6CleanRest(row.facts))).toEqual(expectedOf(row));
});
