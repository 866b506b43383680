import type { Defect } from '../defects.ts';

/** What ends a run does not think of the issue that it locked, and no sweep does either. */
export const defect: Defect = {
  name: 'lock-forgotten',
  goesWrong: 'an issue stays locked by a run that is over',
  caughtBy: { rule: 'R6', code: 'left_lock' },
  trigger: 'every run, also without a fault',
  reportedIn: ['paperclipai/paperclip#4697', 'paperclipai/paperclip#1245', 'paperclipai/paperclip#1420'],
  plant: ({ release }) => ({
    release: async (sql, run, end) => {
      await release(sql, run, end);
      await sql.query(
        "update issues set execution_run_id = $1, execution_locked_at = now() where id = $2 and status = 'done' returning id",
        [run.id, run.context_snapshot.issueId],
      );
    },
    sweep: async () => undefined,
  }),
};
