import type { Defect } from '../defects.ts';
import { askPerson } from '../work/recovery-action.ts';

/** The plane ends an agent's process itself, and takes that for the provider's failure, which is final. */
export const defect: Defect = {
  name: 'turn-killed',
  goesWrong: 'a turn that the shutdown killed is stored as a failure of the provider, and is not tried again',
  caughtBy: { rule: 'R3', code: 'retry_needed' },
  trigger: 'K2 while an agent works',
  reportedIn: ['paperclipai/paperclip#9451', 'paperclipai/paperclip#12021'],
  plant: ({ endByOrder, follow }) => ({
    endByOrder: (order) =>
      order === 'interrupted' ? { status: 'failed', errorCode: 'provider_error', exitCode: null } : endByOrder(order),
    follow: (sql, ended, end, timers) =>
      end.errorCode === 'provider_error' ? askPerson(sql, ended, 'provider_error') : follow(sql, ended, end, timers),
  }),
};
