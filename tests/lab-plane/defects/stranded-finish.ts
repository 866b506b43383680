import type { Defect } from '../defects.ts';
import { finishRun } from '../work/finish.ts';
import { askPerson } from '../work/recovery-action.ts';

/** The boot does not look at what the agent left, and blocks the issue whatever its status is. */
export const defect: Defect = {
  name: 'stranded-finish',
  goesWrong: 'work that was finished while the plane was away is taken for lost, and the finished issue is blocked',
  caughtBy: { rule: 'R3', code: 'retry_needed' },
  trigger: 'K1 at BT11, between the exit of the agent and the end of its run',
  reportedIn: ['paperclipai/paperclip#9451', 'paperclipai/paperclip#5124'],
  plant: ({ follow }) => ({
    reap: (plane, run) => finishRun(plane, run.id, { status: 'failed', errorCode: 'process_lost', exitCode: null }),
    follow: (sql, ended, end, timers) =>
      end.errorCode === 'process_lost' ? askPerson(sql, ended) : follow(sql, ended, end, timers),
  }),
};
