import type { Defect } from '../defects.ts';
import { finishRun } from '../work/finish.ts';

/** The boot asks whether the process lives, and not how it ended. */
export const defect: Defect = {
  name: 'exit-code-ignored',
  goesWrong: 'a run whose agent finished its work while the plane was away is stored as lost',
  caughtBy: { rule: 'N5', code: 'outcome_mislabelled' },
  trigger: 'K1 at BT11, between the exit of the agent and the end of its run',
  reportedIn: ['apache/airflow#27657'],
  plant: () => ({
    reap: (plane, run) => finishRun(plane, run.id, { status: 'failed', errorCode: 'process_lost', exitCode: null }),
  }),
};
