import type { Defect } from '../defects.ts';

/** The plane that ends itself leaves the clean-up of a lease to the next boot, which looks for active leases only. */
export const defect: Defect = {
  name: 'lease-pending',
  goesWrong: 'the lease of a run that a graceful stop interrupted waits for a clean-up that nobody does',
  caughtBy: { rule: 'R6', code: 'left_lease' },
  trigger: 'K2 while an agent works',
  reportedIn: ['paperclipai/paperclip#13515'],
  plant: ({ release }) => ({
    release: async (sql, run, end) => {
      await release(sql, run, end);
      if (end.status !== 'interrupted') return;
      await sql.query(
        "update environment_leases set status = 'pending_cleanup' where heartbeat_run_id = $1 returning id",
        [run.id],
      );
    },
  }),
};
