import { expect, test } from 'vitest';
import type { Finding } from '../model/finding.ts';
import * as given from './facts.testing.ts';
import { signaturesOf } from './signature.ts';

function finding(changes: Partial<Finding> = {}): Finding {
  return { rule: 'R6', code: 'left_lease', expected: '', seen: '', atMs: null, ids: [], evidence: [], ...changes };
}

test('two findings of one name are one signature, which keeps the first', () => {
  const signatures = signaturesOf(given.goodFacts(), [
    finding({ ids: ['L1'] }),
    finding({ ids: ['L2'] }),
    finding({ code: 'left_lock' }),
  ]);
  expect(signatures.map(({ text, finding: { ids } }) => [text, ...ids])).toEqual([
    ['R6 left_lease · K1 · scripted · fragile', 'L1'],
    ['R6 left_lock · K1 · scripted · fragile'],
  ]);
});

test('ids and times do not change a signature', () => {
  const texts = [finding({ ids: ['L1'], atMs: 5 }), finding({ ids: ['L9'], atMs: 9 })].map(
    (one) => signaturesOf(given.goodFacts(), [one])[0]?.text,
  );
  expect(texts[0]).toBe(texts[1]);
});

test('a task that an interrupt cut off has no name to be known by', () => {
  const cutOff = finding({ rule: 'R1', code: 'unfinished_at_interrupt' });
  expect(signaturesOf(given.goodFacts(), [cutOff, finding()]).map(({ text }) => text)).toEqual([
    'R6 left_lease · K1 · scripted · fragile',
  ]);
});

test('a fault that waited for a boundary of the task is named with it, and one of another task is not', () => {
  const atBoundary = (requestedBy: string): string | undefined => {
    const fault = given.crash({ trigger: { on: 'boundary', id: 'BT04', occurrence: 2 }, requestedBy });
    return signaturesOf(given.goodFacts({ faults: [fault] }), [finding()])[0]?.text;
  };
  expect(atBoundary(given.goodFacts().plan.id)).toBe('R6 left_lease · K1@BT04 · scripted · fragile');
  expect(atBoundary('t09')).toBe('R6 left_lease · K1 · scripted · fragile');
});

test('a commit that was asked for by its pattern has no name in a signature', () => {
  const trigger = { on: 'commit', pattern: 'insert issues', occurrence: 1, side: 'after' } as const;
  const facts = given.goodFacts({ faults: [given.crash({ trigger })] });
  expect(signaturesOf(facts, [finding()])[0]?.text).toBe('R6 left_lease · K1 · scripted · fragile');
});

test('each failure is named after the fault that came before it', () => {
  const outage = given.crash({ ref: 'f02', kind: 'K4', startedAtMs: 60_000, struckAtMs: 60_000 });
  const facts = given.goodFacts({ faults: [given.crash(), outage] });
  const texts = signaturesOf(facts, [finding({ atMs: 50_000 }), finding({ atMs: 99_000 })]).map(({ text }) => text);
  expect(texts).toEqual(['R6 left_lease · K1 · scripted · fragile', 'R6 left_lease · K4 · scripted · fragile']);
});
