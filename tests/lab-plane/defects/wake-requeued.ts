import type { Defect } from '../defects.ts';

/** The wake of a lost run is put back where it came from; but the retry has a wake of its own. */
export const defect: Defect = {
  name: 'wake-requeued',
  goesWrong: 'the wake of a run that was lost waits in the queue for good, while the retry does its work',
  caughtBy: { rule: 'R6', code: 'left_wake' },
  trigger: 'K3 while an agent works',
  reportedIn: ['triggerdotdev/trigger.dev#1566'],
  plant: ({ release }) => ({
    release: async (sql, run, end) => {
      await release(sql, run, end);
      if (end.errorCode !== 'process_lost') return;
      await sql.query("update agent_wakeup_requests set status = 'queued', finished_at = null where id = $1", [
        run.wakeup_request_id,
      ]);
    },
  }),
};
