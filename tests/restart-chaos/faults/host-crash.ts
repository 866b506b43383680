/** K3: everything below the server dies with it, agents included, as when a host or a container is lost. */
import type { FaultDefinition } from './fault-definition.ts';
import { bringBack, killedExitMs } from './steps.ts';

export const hostCrash: FaultDefinition = {
  kind: 'K3',
  title: 'host crash',
  weight: 2,
  ranges: [],
  draw: () => ({}),
  steps: (_, numbers) => [
    { step: 'signal', target: 'tree', signal: 'SIGKILL' },
    { step: 'await_exit', target: 'server', withinMs: killedExitMs },
    ...bringBack(numbers),
  ],
  describe: () => '',
};
