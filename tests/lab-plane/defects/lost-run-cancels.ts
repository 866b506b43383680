import type { Defect } from '../defects.ts';
import { setIssueStatus } from '../work/rows.ts';

/** An issue whose run is gone counts as one that nobody wants any more. */
export const defect: Defect = {
  name: 'lost-run-cancels',
  goesWrong: 'recovery cancels the issue whose run was lost',
  caughtBy: { rule: 'R1', code: 'rested_cancelled' },
  trigger: 'K3 while an agent works',
  reportedIn: [],
  plant: ({ follow }) => ({
    follow: async (sql, ended, end, timers) => {
      if (end.errorCode === 'process_lost') await setIssueStatus(sql, ended.issue, 'cancelled');
      else await follow(sql, ended, end, timers);
    },
  }),
};
