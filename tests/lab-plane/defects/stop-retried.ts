import type { Defect } from '../defects.ts';

/** A run that a person stopped counts as one that failed, and is tried again. */
export const defect: Defect = {
  name: 'stop-retried',
  goesWrong: 'the run that a person stopped gets the retry of a run that failed',
  caughtBy: { rule: 'T', code: 'nothing_ran_after_stop' },
  trigger: 'S1, also without a fault',
  reportedIn: ['paperclipai/paperclip#10656', 'paperclipai/paperclip#4506'],
  plant: ({ follow }) => ({
    follow: (sql, ended, end, timers) => {
      if (end.status !== 'cancelled') return follow(sql, ended, end, timers);
      const run = { ...ended.run, stop_requested_at: null };
      return follow(sql, { ...ended, run }, { ...end, status: 'failed' }, timers);
    },
  }),
};
