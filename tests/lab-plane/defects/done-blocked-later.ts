import type { Defect } from '../defects.ts';

/** A watchdog takes an issue without a run for one that was abandoned, and does not ask whether it is done. */
export const defect: Defect = {
  name: 'done-blocked-later',
  goesWrong: 'an issue that is done is blocked by a watchdog seconds later',
  caughtBy: { rule: 'R1', code: 'reopened' },
  trigger: 'every run, also without a fault',
  reportedIn: ['paperclipai/paperclip#11623', 'paperclipai/paperclip#9869'],
  plant: ({ sweep }) => ({
    sweep: async (plane) => {
      await sweep(plane);
      await plane.database.query(
        `update issues set status = 'blocked', completed_at = null, updated_at = now()
         where status = 'done' and completed_at < now() - interval '6 seconds' returning id`,
      );
    },
  }),
};
