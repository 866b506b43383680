import type { Defect } from '../defects.ts';

/** What a run wrote that the boot has to end counts as half done, and is taken back. */
export const defect: Defect = {
  name: 'documents-undone',
  goesWrong: 'the documents of a run that ended while the plane was away are gone after the boot',
  caughtBy: { rule: 'R2', code: 'lost_document' },
  trigger: 'K1 at BT11, between the exit of the agent and the end of its run',
  reportedIn: [],
  plant: ({ reap }) => ({
    reap: async (plane, run) => {
      await reap(plane, run);
      await plane.database.query('delete from issue_documents where updated_by_run_id = $1 returning id', [run.id]);
    },
  }),
};
