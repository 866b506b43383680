/** How long a fault takes, from its steps: the longest it may, and what it should. */
import type { FaultStep } from '../model/fault.ts';
import { unreachable } from '../model/invariant.ts';

/**
 * From ready boots of the published plane, measured: 3.7–6.7 s with nothing else to do, more under load. Used for
 * the duration that is shown before a wave, never to judge.
 */
const usualBootMs = 6_000;
const usualExitMs = 200;
/** Crash recovery of a small database took 0.1–0.7 s. */
const usualDatabaseStartMs = 700;
/** Limit of one start of Postgres: more than ten times the slowest that was measured. */
const databaseStartLimitMs = 10_000;

/** Milliseconds after which the steps have ended or one of them has passed its limit. */
export function longestMs(steps: readonly FaultStep[]): number {
  return sum(steps, (step) => {
    switch (step.step) {
      case 'signal':
        return 0;
      case 'await_exit':
      case 'await_listening':
      case 'await_ready':
        return step.withinMs;
      case 'hold':
        return step.ms;
      case 'start':
        return step.target === 'postgres' ? databaseStartLimitMs : 0;
      default:
        return unreachable(step, 'a fault step');
    }
  });
}

/** Milliseconds the steps take when every part behaves as it usually does. */
export function usualMs(steps: readonly FaultStep[]): number {
  return sum(steps, (step) => {
    switch (step.step) {
      case 'signal':
        return 0;
      case 'await_exit':
        return usualExitMs;
      case 'hold':
        return step.ms;
      case 'start':
        return step.target === 'postgres' ? usualDatabaseStartMs : 0;
      case 'await_listening':
      case 'await_ready':
        return usualBootMs;
      default:
        return unreachable(step, 'a fault step');
    }
  });
}

function sum(steps: readonly FaultStep[], lengthOf: (step: FaultStep) => number): number {
  return steps.reduce((total, step) => total + lengthOf(step), 0);
}
