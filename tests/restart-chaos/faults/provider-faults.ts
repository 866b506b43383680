/**
 * PF1 to PF12: the provider of one task's agent fails for a while, in one way each; the scripted model does it. The plane
 * and its database are left alone, and so is every other task.
 */
import type { ProviderFault, FaultStep } from '../model/fault.ts';
import type { Numbers } from '../model/numbers.ts';
import type { ProviderFaultKind } from '../model/provider-fault.ts';
import { drawFrom, scaledHoldMs, secondsText, type FaultDefinition, type ParameterRange } from './fault-definition.ts';
import { parameter } from './steps.ts';

/**
 * Longest wait for the request that is served wrongly. An agent in the middle of its work asks within seconds, but on a
 * machine at a load of 20 for two processors the first request of a task came 53 s after the wait for it began.
 */
const servedLimitMs = 180_000;

// An agent asks at least three times more after the last moment that a drawn time can have: result, done, last word.
const skip = { name: 'skip', drawn: { min: 0, max: 2 }, allowed: { min: 0, max: 500 } };
const requests = { name: 'requests', drawn: { min: 1, max: 3 }, allowed: { min: 1, max: 500 } };
const allowedMs = { min: 0, max: 3_600_000 };

const failing: readonly ParameterRange[] = [
  skip,
  requests,
  { name: 'forMs', drawn: { min: 2_000, max: 20_000 }, allowed: allowedMs },
];
/** Nobody gives up on an answer within five seconds, so that a shorter silence would be none. */
const hanging: readonly ParameterRange[] = [
  skip,
  requests,
  { name: 'forMs', drawn: { min: 5_000, max: 40_000 }, allowed: allowedMs },
];

/** One fault a kind. */
export const providerFaults: Readonly<Record<ProviderFault, FaultDefinition>> = {
  PF1: failure('PF1', 'provider rate limit', 'rate_limit'),
  PF2: failure('PF2', 'provider rate limit with delay', 'rate_limit_with_delay'),
  PF3: failure('PF3', 'provider quota spent', 'quota'),
  PF4: failure('PF4', 'provider key refused', 'unauthorized'),
  PF5: failure('PF5', 'provider error', 'server_error'),
  PF6: failure('PF6', 'provider overloaded', 'overloaded'),
  PF7: failure('PF7', 'provider answer cut', 'cut'),
  PF8: failure('PF8', 'provider answer malformed', 'malformed'),
  PF9: failure('PF9', 'provider answer garbage', 'garbage'),
  PF10: failure('PF10', 'provider silent', 'no_headers'),
  PF11: failure('PF11', 'provider answer stalls', 'stall'),
  PF12: failure('PF12', 'provider slow', 'slow'),
};

function failure(kind: ProviderFault, title: string, fault: ProviderFaultKind): FaultDefinition {
  const hangs = fault === 'no_headers' || fault === 'stall';
  const ranges = hangs ? hanging : failing;
  return {
    kind,
    title,
    weight: 2,
    ranges,
    draw: (random) => drawFrom(ranges, random),
    steps: (parameters, numbers) => [
      {
        step: 'disturb_provider',
        fault,
        skip: parameter(parameters, 'skip'),
        requests: parameter(parameters, 'requests'),
      },
      { step: 'await_served', withinMs: servedLimitMs },
      lasting(hangs, scaledHoldMs(parameter(parameters, 'forMs'), numbers)),
      ...mended(numbers),
    ],
    describe: (parameters, numbers) => {
      const times = parameter(parameters, 'requests');
      const well = parameter(parameters, 'skip');
      const after = well === 0 ? '' : ` after ${well} served well`;
      const most = secondsText(scaledHoldMs(parameter(parameters, 'forMs'), numbers));
      return `${times} ${times === 1 ? 'request' : 'requests'}${after}, for ${hangs ? '' : 'at most '}${most}`;
    },
  };
}

/** A silence lasts; everything else is over with the last request that it was meant for. */
function lasting(hangs: boolean, ms: number): FaultStep {
  return hangs ? { step: 'wait', ms } : { step: 'await_spent', withinMs: ms };
}

function mended(numbers: Numbers): readonly FaultStep[] {
  return [
    { step: 'mend_provider' },
    { step: 'start_if_ended' },
    { step: 'await_ready', withinMs: numbers.readyLimitMs },
  ];
}
