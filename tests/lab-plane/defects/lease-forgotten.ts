import type { Defect } from '../defects.ts';

/** What ends a run does not think of its lease, and no sweep does either. */
export const defect: Defect = {
  name: 'lease-forgotten',
  goesWrong: 'a run that is over leaves its environment lease active',
  caughtBy: { rule: 'R6', code: 'left_lease' },
  trigger: 'every run, also without a fault',
  reportedIn: ['paperclipai/paperclip#13808', 'paperclipai/paperclip#13515'],
  plant: ({ release }) => ({
    release: async (sql, run, end) => {
      await release(sql, run, end);
      await sql.query("update environment_leases set status = 'active' where heartbeat_run_id = $1 returning id", [
        run.id,
      ]);
    },
    sweep: async () => undefined,
  }),
};
