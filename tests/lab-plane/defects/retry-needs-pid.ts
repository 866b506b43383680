import type { Defect } from '../defects.ts';

/** Only a run that had a process is retried, and nobody looks for an issue that was left without a run. */
export const defect: Defect = {
  name: 'retry-needs-pid',
  goesWrong: 'a run that was lost before its process was stored is failed and not tried again: a person has to',
  caughtBy: { rule: 'R3', code: 'retry_needed' },
  trigger: 'K1 at BT03, between the claim of a run and the start of its process',
  reportedIn: ['paperclipai/paperclip#1646', 'paperclipai/paperclip#928'],
  plant: ({ follow }) => ({
    follow: async (sql, ended, end, timers) => {
      if (ended.run.process_pid !== null) await follow(sql, ended, end, timers);
    },
    reconcile: async () => undefined,
  }),
};
