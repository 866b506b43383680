import type { Defect } from '../defects.ts';

/** Stop takes the task from its agent, so that the comment that asks to go on finds nobody to wake. */
export const defect: Defect = {
  name: 'continue-dropped',
  goesWrong: 'after a Stop, the comment that asks to continue starts nothing',
  caughtBy: { rule: 'R5', code: 'stalled' },
  trigger: 'S1, also without a fault',
  reportedIn: [],
  plant: ({ follow }) => ({
    follow: async (sql, ended, end, timers) => {
      await follow(sql, ended, end, timers);
      if (end.status !== 'cancelled') return;
      await sql.query('update issues set assignee_agent_id = null, updated_at = now() where id = $1', [ended.issue.id]);
    },
  }),
};
