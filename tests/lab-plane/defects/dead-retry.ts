import type { Defect } from '../defects.ts';
import { askPerson } from '../work/recovery-action.ts';

/** Retry answers with the run that failed, and begins none. Nothing else retries a lost run, so a person has to. */
export const defect: Defect = {
  name: 'dead-retry',
  goesWrong: 'a task that was lost in a restart offers Retry; the click is accepted and nothing follows',
  caughtBy: { rule: 'R3', code: 'retry_dead' },
  trigger: 'K3 while an agent works',
  reportedIn: ['anthropics/claude-code#80315', 'paperclipai/paperclip#13272'],
  plant: ({ follow }) => ({
    follow: (sql, ended, end, timers) =>
      end.errorCode === 'process_lost' ? askPerson(sql, ended) : follow(sql, ended, end, timers),
    beginRetry: async (_sql, { run }) => run.id,
  }),
};
