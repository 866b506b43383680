import type { Defect } from '../defects.ts';

/** Only a parent learns the exit code of its child, and this plane asks nobody else. */
export const defect: Defect = {
  name: 'adopted-finish-failed',
  goesWrong: 'an agent that outlived the plane finishes its work, and its run is stored as failed',
  caughtBy: { rule: 'N5', code: 'outcome_mislabelled' },
  trigger: 'K1 while a sturdy agent works',
  reportedIn: ['paperclipai/paperclip#9057'],
  plant: ({ adopt, release }) => {
    const adopted = new Set<string>();
    return {
      adopt: async (plane, run) => {
        const isAdopted = await adopt(plane, run);
        if (isAdopted) adopted.add(run.id);
        return isAdopted;
      },
      release: async (sql, run, end) => {
        await release(sql, run, end);
        if (!adopted.has(run.id)) return;
        await sql.query("update heartbeat_runs set status = 'failed', error_code = 'process_detached' where id = $1", [
          run.id,
        ]);
      },
    };
  },
};
