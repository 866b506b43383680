import type { Defect } from '../defects.ts';
import { finishRun } from '../work/finish.ts';
import { askPerson } from '../work/recovery-action.ts';

const cause = 'ambiguous_remote_recovery_evidence';

/** The boot will not say that the lost run failed, so the board gets an action and no Retry. */
export const defect: Defect = {
  name: 'ambiguous-recovery',
  goesWrong: 'recovery stops at evidence it calls ambiguous: the issue is blocked, and no Retry is offered',
  caughtBy: { rule: 'R3', code: 'no_retry_offered' },
  trigger: 'K3 while an agent works',
  reportedIn: [],
  plant: ({ follow }) => ({
    reap: (plane, run) => finishRun(plane, run.id, { status: 'interrupted', errorCode: cause, exitCode: null }),
    follow: (sql, ended, end, timers) =>
      end.errorCode === cause ? askPerson(sql, ended, cause) : follow(sql, ended, end, timers),
  }),
};
