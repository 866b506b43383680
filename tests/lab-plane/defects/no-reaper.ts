import type { Defect } from '../defects.ts';

/** Neither the boot nor a sweep ends a run whose process is gone. */
export const defect: Defect = {
  name: 'no-reaper',
  goesWrong: 'after a crash of the host a run is shown as running although no process of it exists',
  caughtBy: { rule: 'R6', code: 'left_run' },
  trigger: 'K3 while an agent works',
  reportedIn: ['dagster-io/dagster#4319', 'dagster-io/dagster#1735'],
  plant: () => ({ reap: async () => undefined }),
};
