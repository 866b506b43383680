/** K6: the server dies, and dies again one to three times while it recovers: listening, but not ready yet. */
import type { FaultStep } from '../model/fault.ts';
import type { Numbers } from '../model/numbers.ts';
import { drawFrom } from './fault-definition.ts';
import type { FaultDefinition, ParameterRange } from './fault-definition.ts';
import { bringBack, crashServer, parameter } from './steps.ts';

const ranges: readonly ParameterRange[] = [{ name: 'again', drawn: { min: 1, max: 3 }, allowed: { min: 1, max: 10 } }];

export const crashInRecovery: FaultDefinition = {
  kind: 'K6',
  title: 'crash in recovery',
  weight: 2,
  ranges,
  draw: (random) => drawFrom(ranges, random),
  steps: (parameters, numbers) => [
    ...crashServer(),
    ...Array.from({ length: parameter(parameters, 'again') }, () => crashOnceListening(numbers)).flat(),
    ...bringBack(numbers),
  ],
  describe: (parameters) => {
    const again = parameter(parameters, 'again');
    return again === 1 ? 'once more in recovery' : `${again} times more in recovery`;
  },
};

function crashOnceListening(numbers: Numbers): readonly FaultStep[] {
  return [
    { step: 'start', target: 'server' },
    { step: 'await_listening', withinMs: numbers.readyLimitMs },
    ...crashServer(),
  ];
}
