import { Refusal } from '../api/request.ts';
import type { Defect } from '../defects.ts';
import { askPerson } from '../work/recovery-action.ts';

/** Retry wants to know how the lost run was begun, which no plane wrote down. Nothing else retries a lost run. */
export const defect: Defect = {
  name: 'retry-refused',
  goesWrong: 'a task that was lost in a restart offers Retry, and the click is refused',
  caughtBy: { rule: 'R3', code: 'retry_refused' },
  trigger: 'K3 while an agent works',
  reportedIn: ['paperclipai/paperclip#13272'],
  plant: ({ follow }) => ({
    follow: (sql, ended, end, timers) =>
      end.errorCode === 'process_lost' ? askPerson(sql, ended) : follow(sql, ended, end, timers),
    beginRetry: () => Promise.reject(new Refusal(409, 'The run has no record of its invocation.')),
  }),
};
