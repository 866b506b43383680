/** Runs of steps that several faults share. */
import type { Disturbance, FaultParameters, FaultStep } from '../model/fault.ts';
import { invariant } from '../model/invariant.ts';
import type { Numbers } from '../model/numbers.ts';

/**
 * Longest wait for the exit of something that got SIGKILL. Such exits took under 0.1 s where they were measured;
 * the rest is room for a machine that is swapping or writing out a core.
 */
export const killedExitMs = 10_000;

/** SIGKILL the server and reap it. */
export function crashServer(): readonly FaultStep[] {
  return [
    { step: 'signal', target: 'server', signal: 'SIGKILL' },
    { step: 'await_exit', target: 'server', withinMs: killedExitMs },
  ];
}

/** Start the server and wait until it is ready. */
export function bringBack(numbers: Numbers): readonly FaultStep[] {
  return [
    { step: 'start', target: 'server' },
    { step: 'await_ready', withinMs: numbers.readyLimitMs },
  ];
}

/**
 * Disturb the plane's connections to its database for a time, end that, and wait until the plane is ready. A plane that
 * ended by itself meanwhile is started again: that it ended is its own doing, and the record says so.
 */
export function disturbFor(disturbance: Disturbance, ms: number, numbers: Numbers): readonly FaultStep[] {
  return [
    { step: 'disturb', disturbance },
    { step: 'wait', ms },
    { step: 'undisturb' },
    { step: 'start_if_ended' },
    { step: 'await_ready', withinMs: numbers.readyLimitMs },
  ];
}

/** A parameter that the plan must carry; a plan read from disk was checked for it before it comes here. */
export function parameter(parameters: FaultParameters, name: string): number {
  const value = parameters[name];
  invariant(value !== undefined, `the fault has no parameter "${name}"`);
  return value;
}
