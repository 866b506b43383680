import { expect, test } from 'vitest';
import { exitCode } from './exit-code.ts';
import { signatureText, type Signature } from './record.ts';

const signature: Signature = {
  rule: 'R3',
  code: 'no_retry_offered',
  fault: 'K1',
  adapter: 'scripted',
  temperament: 'fragile',
};

test('a signature is one line without ids or times', () => {
  expect(signatureText(signature)).toBe('R3 no_retry_offered · K1 · scripted · fragile');
  expect(signatureText({ ...signature, fault: 'K4' })).toBe('R3 no_retry_offered · K4 · scripted · fragile');
  expect(signatureText({ ...signature, fault: null })).toBe('R3 no_retry_offered · no fault · scripted · fragile');
  expect(signatureText({ ...signature, boundary: 'BT04' })).toBe('R3 no_retry_offered · K1@BT04 · scripted · fragile');
});

test('exit codes are those that scripts were told', () => {
  expect(exitCode).toEqual({ passed: 0, failed: 1, harness: 2, refused: 3, inconclusive: 4 });
});
