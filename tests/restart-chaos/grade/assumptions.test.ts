import { expect, test } from 'vitest';
import type { TaskFacts } from '../model/facts.ts';
import { unmetAssumptions } from './assumptions.ts';
import * as given from './facts.testing.ts';

function polledOnly(count: number): TaskFacts {
  const polls = given.pollsBetween(1_100, 1_100 + count * 1_000);
  const timeline = given.timelineOf([given.createdAt(given.createdMs), ...polls, given.restAt(5_000)]);
  return given.controlFacts({ timeline });
}

const aside = given.crash({ struckAtMs: 10, startedAtMs: 5 });
const open = given.crash({ landed: false, endedAtMs: null, readyAtMs: null });

function databaseEnded(atMs: number, expected: boolean): TaskFacts {
  const process = { pid: 88, startTime: '8' };
  const exit = given.at(atMs, { kind: 'postgres_exit', process, signal: 'SIGKILL', code: null, expected });
  return given.goodFacts({ timeline: given.life([...given.beginning, exit, ...given.goodEnd]) });
}

const rows: readonly (readonly [string, TaskFacts, string | null])[] = [
  ['crossed by a proven fault and watched', given.goodFacts(), null],
  ['the control arm', given.controlFacts(), null],
  ['the fault did not land', given.goodFacts({ faults: [given.crash({ landed: false })] }), 'invalid'],
  ['the database ended unasked while it was open', databaseEnded(40_000, false), 'invalid'],
  ['the database was ended by a fault', databaseEnded(40_000, true), null],
  ['the database ended unasked before it was created', databaseEnded(given.createdMs - 500, false), null],
  ['the database ended unasked after its rest', databaseEnded(given.restMs + 500, false), null],
  ['the fault was in progress when the wave died', given.goodFacts({ faults: [open] }), 'unproven'],
  ['no fault crossed it', given.goodFacts({ faults: [aside] }), 'unproven'],
  ['its own fault was never fired', given.goodFacts({ faults: [] }), 'unproven'],
  [
    'asked for no fault, in a wave that had one',
    given.goodFacts({ faults: [aside], plan: given.taskPlan({ faults: [] }) }),
    'unproven',
  ],
  ['the issue was never created', given.controlFacts({ timeline: [] }), 'blind'],
  ['a line of the log is lost', given.goodFacts({ evidenceGaps: 'the event log has 1 unreadable lines' }), 'unproven'],
  ['no look was answered', polledOnly(0), 'blind'],
  ['two looks were answered', polledOnly(2), 'unproven'],
  ['three looks were answered', polledOnly(3), null],
  [
    'not seen for long while the plane was up',
    given.goodFacts({ timeline: given.life([...given.beginning, ...given.goodEnd], 60_000) }),
    'unproven',
  ],
];

test.each(rows)('%s: %3$s', (_situation, facts, effect) => {
  expect(unmetAssumptions(facts)[0]?.effect ?? null).toBe(effect);
});

test('an unmet assumption names the fault and what became of it', () => {
  const facts = given.goodFacts({ faults: [given.crash({ landed: false, reason: 'pid 4711 did not end' })] });
  expect(unmetAssumptions(facts)[0]?.because).toBe('fault f01 (K1) did not land: pid 4711 did not end');
});
