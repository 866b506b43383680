import type { Defect } from '../defects.ts';

/** What ends a run does not think of the wake that it served. */
export const defect: Defect = {
  name: 'wake-left-claimed',
  goesWrong: 'a wake stays claimed after the run that served it is over',
  caughtBy: { rule: 'R6', code: 'left_wake' },
  trigger: 'every run, also without a fault',
  reportedIn: ['paperclipai/paperclip#13607'],
  plant: ({ release }) => ({
    release: async (sql, run, end) => {
      await release(sql, run, end);
      await sql.query("update agent_wakeup_requests set status = 'claimed', finished_at = null where id = $1", [
        run.wakeup_request_id,
      ]);
    },
  }),
};
