import type { Defect } from '../defects.ts';
import { retryLimit } from '../settings.ts';

/** A restart counts as a failure of the run, and as its last one. */
export const defect: Defect = {
  name: 'restart-uses-up-tries',
  goesWrong: 'one restart uses up all tries of a run, so that a person has to retry it',
  caughtBy: { rule: 'R3', code: 'retry_needed' },
  trigger: 'K3 while an agent works',
  reportedIn: ['mako-ai/mako#293', 'mako-ai/mako#294'],
  plant: ({ follow }) => ({
    follow: (sql, ended, end, timers) => {
      if (end.errorCode !== 'process_lost') return follow(sql, ended, end, timers);
      const run = { ...ended.run, scheduled_retry_attempt: retryLimit };
      return follow(sql, { ...ended, run }, end, timers);
    },
  }),
};
