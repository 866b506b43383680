/** K1: the server dies at once and is started again at once. The agents live on, with broken pipes. */
import type { FaultDefinition } from './fault-definition.ts';
import { bringBack, crashServer } from './steps.ts';

export const crash: FaultDefinition = {
  kind: 'K1',
  title: 'crash',
  weight: 2,
  ranges: [],
  draw: () => ({}),
  steps: (_, numbers) => [...crashServer(), ...bringBack(numbers)],
  describe: () => '',
};
