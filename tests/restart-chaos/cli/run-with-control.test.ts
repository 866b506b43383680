import { expect, it } from 'vitest';
import type { ExitCode } from '../model/exit-code.ts';
import { worse } from './run-with-control.ts';

it.each([
  ['both pass', 0, 0, 0],
  ['the arm fails, and the wave with faults passes', 1, 0, 1],
  ['only the wave with faults fails', 0, 1, 1],
  ['the arm is inconclusive', 4, 0, 4],
  ['a failure beside an unknown is a failure', 4, 1, 1],
  ['the harness failed', 1, 2, 2],
] as const satisfies readonly (readonly [string, ExitCode, ExitCode, ExitCode])[])(
  'exit code of two waves: %s',
  (_, control, struck, expected) => {
    expect(worse(control, struck)).toBe(expected);
    expect(worse(struck, control)).toBe(expected);
  },
);
