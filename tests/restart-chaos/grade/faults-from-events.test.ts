import { expect, test } from 'vitest';
import type { FaultStep } from '../model/fault.ts';
import * as given from './facts.testing.ts';
import { faultsFromEvents, provenFaults } from './faults-from-events.ts';

const kill: FaultStep = { step: 'signal', target: 'server', signal: 'SIGKILL' };
const ready: FaultStep = { step: 'await_ready', withinMs: 90_000 };

function started(atMs: number, ref = 'f01'): given.Moment {
  const trigger = { on: 'time', offsetMs: 19_000 } as const;
  const asked = { fault: 'K1', parameters: {}, trigger, requestedBy: 't01', openTasks: ['t01'] } as const;
  return given.at(atMs, { kind: 'fault_started', ref, ...asked });
}

function step(atMs: number, what: FaultStep, observed = true): given.Moment {
  const index = what.step === 'signal' ? 0 : 1;
  const proof = { observed, seen: observed ? 'seen' : 'nothing seen' };
  return given.at(atMs, {
    kind: 'fault_step',
    ref: 'f01',
    index,
    step: what,
    startedAtMs: atMs - 5,
    endedAtMs: atMs,
    proof,
  });
}

function ended(atMs: number, landed: boolean, reason: string | null = null): given.Moment {
  return given.at(atMs, {
    kind: 'fault_ended',
    ref: 'f01',
    landed,
    reason,
    struckAtMs: landed ? 20_010 : null,
    readyAtMs: landed ? 25_000 : null,
  });
}

const records = (...moments: readonly given.Moment[]): ReturnType<typeof faultsFromEvents> =>
  faultsFromEvents(given.timelineOf(moments));
const whole = [started(20_000), step(20_010, kill), step(25_000, ready), ended(25_001, true)];

test('a fault with proof for every step landed', () => {
  expect(records(...whole)).toEqual([{ ...given.crash(), endedAtMs: 25_001 }]);
});

test('a fault that claims to have landed without an observed step did not', () => {
  const claimed = records(started(20_000), step(20_010, kill, false), step(25_000, ready), ended(25_001, true));
  expect(claimed[0]).toMatchObject({ landed: false, reason: 'step 1 (signal): nothing seen' });
});

test('a fault that claims to have landed without any step did not', () => {
  expect(records(started(20_000), ended(25_001, true))[0]).toMatchObject({
    landed: false,
    reason: 'no step of it is in the log',
  });
});

test('a fault that did not land keeps the reason it gave', () => {
  const failed = records(
    started(20_000),
    step(20_010, kill),
    step(25_000, ready, false),
    ended(25_001, false, 'not ready'),
  );
  expect(failed[0]).toMatchObject({ landed: false, reason: 'not ready', struckAtMs: 20_010, readyAtMs: null });
});

test('a wave that died in the middle leaves a fault without an end that struck all the same', () => {
  const open = records(started(20_000), step(20_010, kill))[0];
  expect(open).toMatchObject({ struckAtMs: 20_010, readyAtMs: null, endedAtMs: null, landed: false });
});

test('a disturbance strikes when it begins, not when it was looked at', () => {
  const disturbed = step(20_010, { step: 'disturb', disturbance: { kind: 'black_hole' } });
  const open = records(started(20_000), disturbed)[0];
  expect(open).toMatchObject({ struckAtMs: 20_005, readyAtMs: null, endedAtMs: null, landed: false });
  const unseen = step(20_010, { step: 'disturb', disturbance: { kind: 'black_hole' } }, false);
  expect(records(started(20_000), unseen)[0]).toMatchObject({ struckAtMs: null, landed: false });
});

test('a wave that died before the first step leaves a fault that struck nothing', () => {
  expect(records(started(20_000))[0]).toMatchObject({ struckAtMs: null, endedAtMs: null, landed: false });
});

test('faults come in the order of their starts', () => {
  expect(records(started(30_000, 'f02'), ...whole).map(({ ref }) => ref)).toEqual(['f01', 'f02']);
});

test('the record of a wave has fault to ready and the proofs in words', () => {
  expect(provenFaults(given.timelineOf(whole))[0]).toMatchObject({
    readyMs: 14_990 - 10_000,
    proof: ['signal: seen', 'await_ready: seen'],
  });
  expect(provenFaults(given.timelineOf(whole.slice(0, 2)))[0]).toMatchObject({
    readyMs: null,
    proof: ['signal: seen'],
  });
});
