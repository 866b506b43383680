/** DB4: every connection between the plane and its database is cut, and for a while no new one is taken. */
import type { FaultDefinition, ParameterRange } from './fault-definition.ts';
import { drawFrom, scaledHoldMs, secondsText } from './fault-definition.ts';
import { disturbFor, parameter } from './steps.ts';

const ranges: readonly ParameterRange[] = [
  { name: 'forMs', drawn: { min: 2_000, max: 20_000 }, allowed: { min: 0, max: 3_600_000 } },
];

export const databaseRefused: FaultDefinition = {
  kind: 'DB4',
  title: 'database refused',
  weight: 2,
  ranges,
  draw: (random) => drawFrom(ranges, random),
  steps: (parameters, numbers) =>
    disturbFor({ kind: 'refuse' }, scaledHoldMs(parameter(parameters, 'forMs'), numbers), numbers),
  describe: (parameters, numbers) => `refused ${secondsText(scaledHoldMs(parameter(parameters, 'forMs'), numbers))}`,
};
