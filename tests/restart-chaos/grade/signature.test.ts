import { expect, test } from 'vitest';
import type { Finding } from '../model/finding.ts';
import type { Signature } from '../model/record.ts';
import * as given from './facts.testing.ts';
import { labelAgainstControl, signaturesOf } from './signature.ts';

function finding(changes: Partial<Finding> = {}): Finding {
  return { rule: 'R6', code: 'left_lease', expected: '', seen: '', atMs: null, ids: [], evidence: [], ...changes };
}

function signature(changes: Partial<Signature> = {}): Signature {
  return { rule: 'R6', code: 'left_lease', fault: 'K1', adapter: 'scripted', temperament: 'fragile', ...changes };
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

test('a failure that the control arm shows too is labelled, whatever the faults', () => {
  const wave = [signature(), signature({ fault: 'K4' }), signature({ adapter: 'process' })];
  expect([...labelAgainstControl(wave, [signature({ fault: null })])]).toEqual([
    'R6 left_lease · K1 · scripted · fragile',
    'R6 left_lease · K4 · scripted · fragile',
  ]);
});

test.each([
  ['rule', { rule: 'R5' }],
  ['code', { code: 'left_lock' }],
  ['adapter', { adapter: 'process' }],
  ['temperament', { temperament: 'sturdy' }],
] as const)('another %s in the control arm labels nothing', (_what, changes) => {
  expect(labelAgainstControl([signature()], [signature({ fault: null, ...changes })]).size).toBe(0);
});
