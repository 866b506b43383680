import { expect, test } from 'vitest';
import { errorText, HarnessError, UsageError } from './errors.ts';
import { invariant, unreachable } from './invariant.ts';

test('a usage error lists every problem, one a line', () => {
  const error = new UsageError(['--seed is missing', '--tasks is too large']);
  expect(error).toMatchObject({ name: 'UsageError', message: '--seed is missing\n--tasks is too large' });
  expect(error.problems).toHaveLength(2);
});

test('a harness error carries its code and what caused it', () => {
  const cause = new Error('ECONNREFUSED');
  const error = new HarnessError('server-not-ready', 'no answer', { cause });
  expect(error).toMatchObject({ name: 'HarnessError', code: 'server-not-ready', cause });
  expect(error).toBeInstanceOf(Error);
});

test('anything thrown has a text', () => {
  expect([new Error('a'), 'b', 3, null, undefined].map(errorText)).toEqual(['a', 'b', '3', 'null', 'undefined']);
});

test('a broken invariant says which, and a case that cannot be says its value', () => {
  expect(() => invariant(1 === 1, 'never')).not.toThrow();
  expect(() => invariant(0, 'zero is not enough')).toThrow('invariant broken: zero is not enough');
  expect(() => unreachable('K9' as never, 'fault')).toThrow('invariant broken: fault has no case for "K9"');
});
