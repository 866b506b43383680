/**
 * K4: the server dies and stays away for minutes, longer than the plane's leases live (60 s on the published
 * plane), so that its recovery takes another path than after K1.
 */
import { drawFrom, scaledHoldMs, secondsText } from './fault-definition.ts';
import type { FaultDefinition, ParameterRange } from './fault-definition.ts';
import { bringBack, crashServer, parameter } from './steps.ts';

const ranges: readonly ParameterRange[] = [
  { name: 'holdMs', drawn: { min: 120_000, max: 300_000 }, allowed: { min: 0, max: 3_600_000 } },
];

export const longOutage: FaultDefinition = {
  kind: 'K4',
  title: 'long outage',
  // One occurrence costs every open task of the wave two to five minutes; the others cost seconds.
  weight: 1,
  ranges,
  draw: (random) => drawFrom(ranges, random),
  steps: (parameters, numbers) => [
    ...crashServer(),
    { step: 'hold', ms: scaledHoldMs(parameter(parameters, 'holdMs'), numbers) },
    ...bringBack(numbers),
  ],
  describe: (parameters, numbers) => `down ${secondsText(scaledHoldMs(parameter(parameters, 'holdMs'), numbers))}`,
};
