import type { Defect } from '../defects.ts';

/** The retry of a lost run waits for a time that nobody stored, and no look ever finds it due. */
export const defect: Defect = {
  name: 'retry-without-due',
  goesWrong: 'the retry of a lost run is scheduled without a due time, and never begins',
  caughtBy: { rule: 'R5', code: 'stalled' },
  trigger: 'K3 while an agent works',
  reportedIn: [],
  plant: ({ follow }) => ({
    follow: async (sql, ended, end, timers) => {
      await follow(sql, ended, end, timers);
      await sql.query(
        "update heartbeat_runs set scheduled_retry_at = null where retry_of_run_id = $1 and status = 'scheduled_retry' returning id",
        [ended.run.id],
      );
    },
  }),
};
