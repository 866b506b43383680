import { expect, test } from 'vitest';
import type { LeftoverKind } from '../model/evidence.ts';
import type { TaskFacts } from '../model/facts.ts';
import * as given from './facts.testing.ts';
import { r6CleanRest } from './r6-clean-rest.ts';
import { expectedOf, outcomeOf, titled, type RuleRow } from './rule-table.testing.ts';
import { goodTape, runLife, tapeOf } from './tape.testing.ts';

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

function endedBy(reason: 'interrupt' | 'plane_lost' | 'wave_deadline' | 'deadline'): TaskFacts {
  const timeline = given.life([...given.beginning, given.restAt(given.restMs, { reason, status: 'in_progress' })]);
  return { ...left('run'), timeline };
}

/** A run started, and nobody told of a process. */
function silent(changes: Partial<TaskFacts> = {}): TaskFacts {
  const { timeline } = given.goodFacts();
  return given.goodFacts({ timeline: timeline.filter(({ kind }) => kind !== 'beacon'), ...changes });
}

const noRun = { before: null, after: null, rest: given.truth({ runs: [] }) };
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
  {
    situation: 'one part could not be looked at, and the tape shows nothing open',
    facts: given.goodFacts({ sweep: unreadable, tape: goodTape }),
    verdict: 'fail',
    codes: ['sweep_error'],
  },
  {
    situation: 'nothing is left, also on the tape',
    facts: given.goodFacts({ tape: goodTape }),
    verdict: 'pass',
  },
  {
    situation: 'the sweep is missing, and the tape shows nothing open',
    facts: given.goodFacts({ sweep: null, tape: goodTape }),
    verdict: 'unknown',
  },
  { situation: 'a run started and no process told of itself', facts: silent(), verdict: 'unknown' },
  {
    situation: 'only the board saw the run of which no process told',
    facts: silent({ truth: noRun }),
    verdict: 'unknown',
  },
  {
    situation: 'no process told of itself and a lease is left',
    facts: silent({ sweep: left('lease').sweep }),
    verdict: 'fail',
    codes: ['left_lease'],
  },
  {
    situation: 'no run started and no process told of itself',
    facts: silent({ truth: noRun, timeline: given.life([given.createdAt(1_000), given.restAt(given.restMs)]) }),
    verdict: 'pass',
  },
  { situation: 'the sweep is missing', facts: given.goodFacts({ sweep: null }), verdict: 'unknown' },
  { situation: 'a run is left at an interrupt', facts: endedBy('interrupt'), verdict: 'unknown' },
  { situation: 'a run is left when the plane was lost', facts: endedBy('plane_lost'), verdict: 'unknown' },
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

test('what could not be looked at is told with what the tape shows to be open', () => {
  const tape = tapeOf(...runLife('run-a', { queuedMs: 1_200, runningMs: 1_400, endedMs: null }));
  const failed = r6CleanRest(given.goodFacts({ sweep: unreadable, tape })).findings[0];
  expect(failed).toMatchObject({
    code: 'sweep_error',
    seen: 'workspace operations: HTTP 500; open on the tape: run run-a running',
    ids: ['run-a'],
  });
  expect(r6CleanRest(given.goodFacts({ sweep: null, tape })).unknownBecause).toContain('run run-a running');
});
