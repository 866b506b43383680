import type { Defect } from '../defects.ts';

/** The sweep does not ask whether a run is over already, and calls what it finds lost. */
export const defect: Defect = {
  name: 'history-rewritten',
  goesWrong: 'a run that had succeeded is stored as failed later',
  caughtBy: { rule: 'N5', code: 'terminal_changed' },
  trigger: 'every run, also without a fault',
  reportedIn: ['PrefectHQ/prefect#16429'],
  plant: ({ sweep }) => ({
    sweep: async (plane) => {
      await sweep(plane);
      await plane.database.query(
        `update heartbeat_runs set status = 'failed', error_code = 'process_lost', updated_at = now()
         where status = 'succeeded' and finished_at < now() - interval '1 second' returning id`,
      );
    },
  }),
};
