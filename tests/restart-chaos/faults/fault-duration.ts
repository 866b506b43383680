/** How long a fault takes, from its steps: the longest it may, and what it should. */
import type { Disturbance, FaultStep } from '../model/fault.ts';
import { unreachable } from '../model/invariant.ts';
import { lookLimitMs, revertLimitMs } from './disturbance-limits.ts';

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
/** A commit that was held, and what became of it, are known within milliseconds. */
const usualCommitMs = 50;
const commitLimitMs = 10_000;
/** A step of a model-led task takes a few seconds, and a request follows each. */
const usualRequestMs = 5_000;
/** A plane that lived through a disturbance of its database answers as soon as it is asked. */
const usualAnswerMs = 100;

/** Milliseconds after which the steps have ended or one of them has passed its limit. */
export function longestMs(steps: readonly FaultStep[]): number {
  const lookMs = Math.max(0, ...disturbancesOf(steps).map(lookLimitMs));
  return sum(steps, (step) => {
    switch (step.step) {
      case 'signal':
      case 'start_if_ended':
      case 'disturb_provider':
      case 'mend_provider':
        return 0;
      case 'await_exit':
      case 'await_listening':
      case 'await_ready':
      case 'await_served':
      case 'await_spent':
        return step.withinMs;
      case 'hold':
        return step.ms;
      case 'start':
        return step.target === 'postgres' ? databaseStartLimitMs : 0;
      case 'let_commit':
      case 'settle_commit':
        return commitLimitMs;
      case 'disturb':
        return lookMs;
      case 'wait':
        return step.ms + lookMs;
      case 'undisturb':
        return revertLimitMs;
      default:
        return unreachable(step, 'a fault step');
    }
  });
}

/** Milliseconds the steps take when every part behaves as it usually does. */
export function usualMs(steps: readonly FaultStep[]): number {
  const lookMs = Math.max(0, ...disturbancesOf(steps).map(usualLookMs));
  const boots = steps.some((step) => step.step === 'start' && step.target === 'server');
  return sum(steps, (step) => {
    switch (step.step) {
      case 'signal':
      case 'undisturb':
      case 'start_if_ended':
      case 'disturb_provider':
      case 'mend_provider':
        return 0;
      case 'await_exit':
        return usualExitMs;
      case 'await_served':
        return usualRequestMs;
      case 'await_spent':
        // An agent that gave up does not ask again.
        return step.withinMs;
      case 'hold':
        return step.ms;
      case 'start':
        return step.target === 'postgres' ? usualDatabaseStartMs : 0;
      case 'await_listening':
      case 'await_ready':
        return boots ? usualBootMs : usualAnswerMs;
      case 'let_commit':
      case 'settle_commit':
        return usualCommitMs;
      case 'disturb':
        return lookMs;
      case 'wait':
        return step.ms + lookMs;
      default:
        return unreachable(step, 'a fault step');
    }
  });
}

function disturbancesOf(steps: readonly FaultStep[]): readonly Disturbance[] {
  return steps.flatMap((step) => (step.step === 'disturb' ? [step.disturbance] : []));
}

/** What a look takes while the disturbance lasts: a session and a statement, or the whole silence. */
function usualLookMs(disturbance: Disturbance): number {
  if (disturbance.kind === 'black_hole') return lookLimitMs(disturbance);
  return disturbance.kind === 'latency' ? 4 * (disturbance.fixedMs + disturbance.jitterMs / 2) : 0;
}

function sum(steps: readonly FaultStep[], lengthOf: (step: FaultStep) => number): number {
  return steps.reduce((total, step) => total + lengthOf(step), 0);
}
