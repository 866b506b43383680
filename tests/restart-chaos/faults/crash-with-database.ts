/** K5: the server and its Postgres die together, and the database has to do its own crash recovery first. */
import type { FaultDefinition } from './fault-definition.ts';
import { bringBack, killedExitMs } from './steps.ts';

export const crashWithDatabase: FaultDefinition = {
  kind: 'K5',
  title: 'crash with the database',
  weight: 2,
  ranges: [],
  draw: () => ({}),
  steps: (_, numbers) => [
    // Both signals before the first wait, or the server would see its database go and could react to that.
    { step: 'signal', target: 'server', signal: 'SIGKILL' },
    { step: 'signal', target: 'postgres', signal: 'SIGKILL' },
    { step: 'await_exit', target: 'server', withinMs: killedExitMs },
    { step: 'await_exit', target: 'postgres', withinMs: killedExitMs },
    { step: 'start', target: 'postgres' },
    ...bringBack(numbers),
  ],
  describe: () => '',
};
