import type { Defect } from '../defects.ts';

/** A run that succeeds looks at no wake that waited for it. */
export const defect: Defect = {
  name: 'comment-stranded',
  goesWrong: 'a comment that came while a run worked waits as a deferred wake for good',
  caughtBy: { rule: 'R6', code: 'left_wake' },
  trigger: 'C1: a comment of the board while an agent works, also without a fault',
  reportedIn: [],
  plant: ({ follow }) => ({
    follow: async (sql, ended, end, timers) => {
      if (end.status !== 'succeeded') await follow(sql, ended, end, timers);
    },
  }),
};
