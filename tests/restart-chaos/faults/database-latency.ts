/**
 * DB1: everything between the plane and its database takes longer for a while, in both directions, as over a network
 * that is far or full. Nothing fails by itself; what has a time limit may.
 */
import type { FaultDefinition, ParameterRange } from './fault-definition.ts';
import { drawFrom, scaledHoldMs, secondsText } from './fault-definition.ts';
import { disturbFor, parameter } from './steps.ts';

const ranges: readonly ParameterRange[] = [
  // Below ten milliseconds the delay cannot be told from a busy machine.
  { name: 'fixedMs', drawn: { min: 50, max: 500 }, allowed: { min: 10, max: 10_000 } },
  { name: 'jitterMs', drawn: { min: 0, max: 200 }, allowed: { min: 0, max: 10_000 } },
  { name: 'forMs', drawn: { min: 5_000, max: 60_000 }, allowed: { min: 0, max: 3_600_000 } },
];

export const databaseLatency: FaultDefinition = {
  kind: 'DB1',
  title: 'database latency',
  weight: 2,
  ranges,
  draw: (random) => drawFrom(ranges, random),
  steps: (parameters, numbers) =>
    disturbFor(
      { kind: 'latency', fixedMs: parameter(parameters, 'fixedMs'), jitterMs: parameter(parameters, 'jitterMs') },
      scaledHoldMs(parameter(parameters, 'forMs'), numbers),
      numbers,
    ),
  describe: (parameters, numbers) => {
    const fixedMs = parameter(parameters, 'fixedMs');
    const mostMs = fixedMs + parameter(parameters, 'jitterMs');
    const delay = mostMs === fixedMs ? `${fixedMs} ms` : `${fixedMs} to ${mostMs} ms`;
    return `${delay} for ${secondsText(scaledHoldMs(parameter(parameters, 'forMs'), numbers))}`;
  },
};
