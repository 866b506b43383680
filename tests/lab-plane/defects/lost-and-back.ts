import type { Defect } from '../defects.ts';

/** The boot calls every run lost first, and takes that back where it finds the process. */
export const defect: Defect = {
  name: 'lost-and-back',
  goesWrong: 'a run that was called lost is running again when its process shows itself',
  caughtBy: { rule: 'N5', code: 'terminal_changed' },
  trigger: 'K1 while a sturdy agent works',
  reportedIn: ['PrefectHQ/prefect#16429'],
  plant: ({ adopt }) => ({
    adopt: async (plane, run) => {
      const { database } = plane;
      if (!(await adopt(plane, run))) return false;
      await database.query(
        "update heartbeat_runs set status = 'failed', error_code = 'process_lost', finished_at = now() where id = $1",
        [run.id],
      );
      await database.query(
        "update heartbeat_runs set status = 'running', error_code = null, finished_at = null where id = $1",
        [run.id],
      );
      return true;
    },
  }),
};
