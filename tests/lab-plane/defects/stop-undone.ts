import type { Defect } from '../defects.ts';

/** Recovery does not ask who ended a run, and goes on with what a person stopped. */
export const defect: Defect = {
  name: 'stop-undone',
  goesWrong: 'recovery restarts work that a person has stopped',
  caughtBy: { rule: 'T', code: 'nothing_ran_after_stop' },
  trigger: 'S1: K1 after the Stop of the board, also without a fault',
  reportedIn: ['anthropics/claude-code#82172'],
  plant: ({ reconcile }) => ({
    reconcile: async (plane) => {
      await plane.database.query(
        `update heartbeat_runs set stop_requested_at = null, updated_at = now()
         where status = 'cancelled' and stop_requested_at is not null returning id`,
      );
      await reconcile(plane);
    },
  }),
};
