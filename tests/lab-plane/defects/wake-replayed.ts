import type { Defect } from '../defects.ts';
import { system } from '../work/activity.ts';
import { beginRun } from '../work/queue.ts';
import { lockRun, openRunOf, type RunRow } from '../work/rows.ts';

/** A look for what was never acknowledged finds what was done: the last run of an issue, with the comments that it had. */
export const defect: Defect = {
  name: 'wake-replayed',
  goesWrong: 'a comment that a run served with success is given to another run',
  caughtBy: { rule: 'R4', code: 'wake_served_twice' },
  trigger: 'C1: a comment of the board while an agent works, also without a fault',
  reportedIn: ['celery/celery#3802', 'celery/celery#3796'],
  plant: ({ reconcile }) => ({
    reconcile: async (plane) => {
      await reconcile(plane);
      const served = await plane.database.query<RunRow>(
        `select * from heartbeat_runs where status = 'succeeded' and context_snapshot ->> 'wakeReason' = 'issue_commented'
           and finished_at > now() - interval '4 seconds'`,
      );
      for (const { id } of served) {
        await plane.database.transaction(async (sql) => {
          const locked = await lockRun(sql, id);
          if (locked === null || (await openRunOf(sql, locked.issue.id)) !== null) return;
          const { wakeCommentIds: commentIds } = locked.run.context_snapshot;
          await beginRun(sql, locked.issue, { reason: 'replayed', actor: system, commentIds });
        });
      }
    },
  }),
};
