import type { Defect } from '../defects.ts';

/** What ends a run calls every end that is no success a failure. */
export const defect: Defect = {
  name: 'stop-stored-as-failure',
  goesWrong: 'the run that a person stopped is stored as failed',
  caughtBy: { rule: 'T', code: 'stop_took_effect' },
  trigger: 'S1, also without a fault',
  reportedIn: ['paperclipai/paperclip#2161'],
  plant: ({ release }) => ({
    release: async (sql, run, end) => {
      await release(sql, run, end);
      if (end.status !== 'cancelled') return;
      await sql.query("update heartbeat_runs set status = 'failed', error_code = 'adapter_failed' where id = $1", [
        run.id,
      ]);
    },
  }),
};
