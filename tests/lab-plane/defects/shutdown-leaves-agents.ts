import type { Defect } from '../defects.ts';

/** The end of the plane closes what is its own; each agent leads a group of its own, which no signal reaches. */
export const defect: Defect = {
  name: 'shutdown-leaves-agents',
  goesWrong: 'a graceful stop leaves its agents alive; after the boot each works on beside its successor',
  caughtBy: { rule: 'R4', code: 'overlapping_processes' },
  trigger: 'K2 while an agent works',
  reportedIn: ['paperclipai/paperclip#7218'],
  plant: ({ endProcess }) => ({
    endProcess: async (watched, order) => {
      if (order !== 'interrupted') await endProcess(watched, order);
    },
  }),
};
