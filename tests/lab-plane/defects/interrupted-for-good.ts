import type { Defect } from '../defects.ts';

/** Interrupted counts as an end like any other, and no pass looks for issues that have no run. */
export const defect: Defect = {
  name: 'interrupted-for-good',
  goesWrong:
    'a run that a graceful stop interrupted has no successor: the issue stays in progress and nobody works on it',
  caughtBy: { rule: 'R5', code: 'stalled' },
  trigger: 'K2 while an agent works',
  reportedIn: ['aegra/aegra#474', 'timgit/pg-boss#303'],
  plant: ({ follow }) => ({
    follow: async (sql, ended, end, timers) => {
      if (end.status !== 'interrupted') await follow(sql, ended, end, timers);
    },
    reconcile: async () => undefined,
  }),
};
