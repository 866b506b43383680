/**
 * DB3: for a while no byte passes between the plane and its database, and no connection ends: whoever waits for an
 * answer cannot know that none will come.
 */
import type { FaultDefinition, ParameterRange } from './fault-definition.ts';
import { drawFrom, scaledHoldMs, secondsText } from './fault-definition.ts';
import { disturbFor, parameter } from './steps.ts';

const ranges: readonly ParameterRange[] = [
  { name: 'forMs', drawn: { min: 5_000, max: 40_000 }, allowed: { min: 0, max: 3_600_000 } },
];

export const databaseBlackHole: FaultDefinition = {
  kind: 'DB3',
  title: 'database black hole',
  weight: 2,
  ranges,
  draw: (random) => drawFrom(ranges, random),
  steps: (parameters, numbers) =>
    disturbFor({ kind: 'black_hole' }, scaledHoldMs(parameter(parameters, 'forMs'), numbers), numbers),
  describe: (parameters, numbers) => `silent ${secondsText(scaledHoldMs(parameter(parameters, 'forMs'), numbers))}`,
};
