import type { Defect } from '../defects.ts';
import { system } from '../work/activity.ts';
import { beginRun } from '../work/queue.ts';
import { lockRun } from '../work/rows.ts';

/** A wake counts as served when the boot that gave it out says so; the next boot gives it out again. */
export const defect: Defect = {
  name: 'wake-redelivered',
  goesWrong: 'a run that succeeded while the plane was away is stored so, and its wake is served once more',
  caughtBy: { rule: 'R4', code: 'wake_served_twice' },
  trigger: 'K1 at BT11, between the exit of the agent and the end of its run',
  reportedIn: ['celery/celery#3796'],
  plant: ({ reap }) => ({
    reap: async (plane, run) => {
      await reap(plane, run);
      await plane.database.transaction(async (sql) => {
        const locked = await lockRun(sql, run.id);
        if (locked?.run.status !== 'succeeded') return;
        const again = await beginRun(sql, locked.issue, { reason: 'redelivered', actor: system, commentIds: [] });
        await sql.query('delete from agent_wakeup_requests where run_id = $1 returning id', [again]);
        await sql.query('update heartbeat_runs set wakeup_request_id = $2 where id = $1', [
          again,
          run.wakeup_request_id,
        ]);
      });
    },
  }),
};
