/** DB2: every connection between the plane and its database is cut at once; new ones work. */
import type { FaultDefinition } from './fault-definition.ts';
import { disturbFor } from './steps.ts';

/** A plane that cannot bear it ends within milliseconds; so long it is watched before it is asked whether it is ready. */
const watchedMs = 2_000;

export const databaseReset: FaultDefinition = {
  kind: 'DB2',
  title: 'database reset',
  weight: 2,
  ranges: [],
  draw: () => ({}),
  steps: (_, numbers) => disturbFor({ kind: 'reset' }, watchedMs, numbers),
  describe: () => '',
};
