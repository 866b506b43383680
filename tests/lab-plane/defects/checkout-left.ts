import type { Defect } from '../defects.ts';

/** Two columns say who holds an issue. What ends a run clears the one, and the sweep looks for the same one. */
export const defect: Defect = {
  name: 'checkout-left',
  goesWrong: 'an issue stays checked out by a run that is over, although its lock is free',
  caughtBy: { rule: 'R6', code: 'left_lock' },
  trigger: 'every run, also without a fault',
  reportedIn: ['paperclipai/paperclip#5294', 'paperclipai/paperclip#6007'],
  plant: ({ release }) => ({
    release: async (sql, run, end) => {
      await release(sql, run, end);
      await sql.query('update issues set checkout_run_id = $1 where id = $2 returning id', [
        run.id,
        run.context_snapshot.issueId,
      ]);
    },
  }),
};
