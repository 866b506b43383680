import type { Defect } from '../defects.ts';
import { finishRun } from '../work/finish.ts';

/** The boot believes every process of an earlier boot dead, and asks the system about none. */
export const defect: Defect = {
  name: 'replaced-alive',
  goesWrong: 'a restart replaces runs whose process still works: two agents of one issue live side by side',
  caughtBy: { rule: 'R4', code: 'overlapping_processes' },
  trigger: 'K1 while a sturdy agent works',
  reportedIn: ['paperclipai/paperclip#7270'],
  plant: () => ({
    adopt: async () => false,
    reap: (plane, run) => finishRun(plane, run.id, { status: 'failed', errorCode: 'process_lost', exitCode: null }),
  }),
};
