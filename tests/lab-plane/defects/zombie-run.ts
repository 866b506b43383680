import type { Defect } from '../defects.ts';

/** The boot leaves a living process to itself: its claim has no end, and nobody looks at it again. */
export const defect: Defect = {
  name: 'zombie-run',
  goesWrong: 'an agent that outlived the plane finishes the task; its run stays running, with lease, lock and wake',
  caughtBy: { rule: 'R6', code: 'left_run' },
  trigger: 'K1 while a sturdy agent works',
  reportedIn: ['paperclipai/paperclip#6406', 'paperclipai/paperclip#10325', 'paperclipai/paperclip#10674'],
  plant: ({ adopt }) => ({
    adopt: async (plane, run) => {
      if (!(await adopt(plane, run))) return false;
      plane.watched.delete(run.id);
      await plane.database.query('update heartbeat_runs set controller_lease_expires_at = null where id = $1', [
        run.id,
      ]);
      return true;
    },
  }),
};
