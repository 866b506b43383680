import { expect, test } from 'vitest';
import { numbersFor } from '../model/numbers.ts';
import { bringBack, crashServer, disturbFor, parameter } from './steps.ts';

test('a crash is reaped, and what is brought back is waited for', () => {
  expect(crashServer().map(({ step }) => step)).toEqual(['signal', 'await_exit']);
  expect(bringBack(numbersFor(0.1))).toEqual([
    { step: 'start', target: 'server' },
    { step: 'await_ready', withinMs: 180_000 },
  ]);
});

test('a disturbance ends before anybody asks whether the plane is ready', () => {
  expect(disturbFor({ kind: 'black_hole' }, 5_000, numbersFor(0.1))).toEqual([
    { step: 'disturb', disturbance: { kind: 'black_hole' } },
    { step: 'wait', ms: 5_000 },
    { step: 'undisturb' },
    { step: 'start_if_ended' },
    { step: 'await_ready', withinMs: 180_000 },
  ]);
});

test('a parameter that the plan does not carry is a programming mistake, and zero is a value', () => {
  expect(parameter({ holdMs: 0 }, 'holdMs')).toBe(0);
  expect(() => parameter({}, 'holdMs')).toThrow('invariant broken: the fault has no parameter "holdMs"');
});
