import { expect, test } from 'vitest';
import type { FaultRecord } from '../model/facts.ts';
import { crossingsOf, isControlArm } from './crossing.ts';
import * as given from './facts.testing.ts';

function sorted(fault: Partial<FaultRecord>): string {
  const { crossed, notLanded, inProgress } = crossingsOf(given.goodFacts({ faults: [given.crash(fault)] }));
  if (crossed.length > 0) return 'crossed';
  if (notLanded.length > 0) return 'not landed';
  return inProgress.length > 0 ? 'in progress' : 'outside';
}

test.each([
  ['strikes in the middle of the life', {}, 'crossed'],
  ['strikes in the moment of creation', { struckAtMs: given.createdMs }, 'crossed'],
  ['strikes just before creation', { struckAtMs: given.createdMs - 1 }, 'outside'],
  ['strikes in the moment of rest', { struckAtMs: given.restMs }, 'crossed'],
  ['strikes just after rest', { struckAtMs: given.restMs + 1 }, 'outside'],
  ['was asked for by another task', { requestedBy: 't02' }, 'crossed'],
  ['failed the provider of the task', { kind: 'PF1' }, 'crossed'],
  ['failed the provider of another task', { kind: 'PF1', requestedBy: 't02' }, 'outside'],
  ['did not land', { landed: false, struckAtMs: null }, 'not landed'],
  ['did not land, before creation', { landed: false, struckAtMs: null, startedAtMs: 10 }, 'outside'],
  ['is said to have landed without a strike', { struckAtMs: null }, 'not landed'],
  ['was in progress when the wave died', { landed: false, endedAtMs: null }, 'in progress'],
] as const)('a fault that %s is %3$s', (_situation, fault, where) => {
  expect(sorted(fault)).toBe(where);
});

const commit = { on: 'commit', pattern: 'insert issues', occurrence: 1, side: 'after' } as const;
const boundary = { on: 'boundary', id: 'BT01', occurrence: 1 } as const;

test.each([
  ['its own commit, before the issue was known', 'crossed', { trigger: commit, struckAtMs: 900 }],
  ['its own boundary, before the issue was known', 'crossed', { trigger: boundary, struckAtMs: 900 }],
  [
    'the commit of another task, before the issue was known',
    'outside',
    { trigger: commit, requestedBy: 't02', struckAtMs: 900 },
  ],
  ['its own commit, after its rest', 'outside', { trigger: commit, struckAtMs: given.restMs + 1 }],
  ['its own boundary, after its rest', 'outside', { trigger: boundary, struckAtMs: given.restMs + 1 }],
] as const)('a fault that struck at %s: %s', (_situation, where, fault) => {
  expect(sorted(fault)).toBe(where);
});

test('the offset is from the creation of the issue to the start of the fault', () => {
  expect(crossingsOf(given.goodFacts()).crossed[0]?.offsetMs).toBe(given.strikeMs - given.createdMs);
});

test('the offset of a fault that began before the issue was there is zero', () => {
  const early = given.crash({ startedAtMs: 500, struckAtMs: 1_200 });
  expect(crossingsOf(given.goodFacts({ faults: [early] })).crossed[0]?.offsetMs).toBe(0);
});

test('crossings come in the order of their strikes', () => {
  const faults = [given.crash({ ref: 'f02', struckAtMs: 40_000 }), given.crash()];
  expect(crossingsOf(given.goodFacts({ faults })).crossed.map(({ fault }) => fault.ref)).toEqual(['f01', 'f02']);
});

test('a task whose issue was never created is crossed by nothing', () => {
  expect(crossingsOf(given.goodFacts({ timeline: [] })).crossed).toEqual([]);
});

test('only a wave that neither plans nor attempts a fault is the control arm', () => {
  const skipped = given.at(9_000, { kind: 'fault_skipped', fault: 'K1', requestedBy: 't02', reason: 'at rest' });
  expect(isControlArm(given.controlFacts())).toBe(true);
  expect(isControlArm(given.controlFacts({ plan: given.taskPlan() }))).toBe(false);
  expect(isControlArm(given.controlFacts({ faults: [given.crash({ struckAtMs: 10 })] }))).toBe(false);
  expect(isControlArm(given.controlFacts({ timeline: given.timelineOf([skipped]) }))).toBe(false);
});
