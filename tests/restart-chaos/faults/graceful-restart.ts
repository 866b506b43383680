/**
 * K2: the server is asked to end, as a deployment does, and is started again after a short hold. A server that
 * does not end in time is killed, and the record says so.
 */
import { drawFrom, scaledHoldMs, secondsText } from './fault-definition.ts';
import type { FaultDefinition, ParameterRange } from './fault-definition.ts';
import { bringBack, parameter } from './steps.ts';

const ranges: readonly ParameterRange[] = [
  { name: 'holdMs', drawn: { min: 0, max: 3_000 }, allowed: { min: 0, max: 3_600_000 } },
];

export const gracefulRestart: FaultDefinition = {
  kind: 'K2',
  title: 'graceful restart',
  weight: 2,
  ranges,
  draw: (random) => drawFrom(ranges, random),
  steps: (parameters, numbers) => [
    { step: 'signal', target: 'server', signal: 'SIGTERM' },
    { step: 'await_exit', target: 'server', withinMs: numbers.gracefulExitMs },
    { step: 'hold', ms: scaledHoldMs(parameter(parameters, 'holdMs'), numbers) },
    ...bringBack(numbers),
  ],
  describe: (parameters, numbers) => `hold ${secondsText(scaledHoldMs(parameter(parameters, 'holdMs'), numbers))}`,
};
