import { expect, test } from 'vitest';
import { exitCode } from './exit-code.ts';
import { signatureText, type Signature } from './record.ts';

const signature: Signature = {
  rule: 'R3',
  code: 'no_retry_offered',
  faults: ['K1'],
  adapter: 'scripted',
  temperament: 'fragile',
};

test('a signature is one line without ids or times', () => {
  expect(signatureText(signature)).toBe('R3 no_retry_offered · K1 · scripted · fragile');
  expect(signatureText({ ...signature, faults: ['K4', 'K1'] })).toBe(
    'R3 no_retry_offered · K4+K1 · scripted · fragile',
  );
  expect(signatureText({ ...signature, faults: [] })).toBe('R3 no_retry_offered · no fault · scripted · fragile');
});

test('exit codes are those that scripts were told', () => {
  expect(exitCode).toEqual({ passed: 0, failed: 1, harness: 2, refused: 3, inconclusive: 4 });
});
