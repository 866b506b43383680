import type { Defect } from '../defects.ts';

/** Stop writes that the run is over, and leaves its process to itself. */
export const defect: Defect = {
  name: 'stop-without-end',
  goesWrong: 'Stop ends the run and not its process, which works on beside the run that continues',
  caughtBy: { rule: 'R4', code: 'overlapping_processes' },
  trigger: 'S1, also without a fault',
  reportedIn: ['paperclipai/paperclip#2161', 'paperclipai/paperclip#8598', 'paperclipai/paperclip#10357'],
  plant: ({ endProcess }) => ({
    endProcess: async (watched, order) => {
      if (order !== 'cancelled') await endProcess(watched, order);
    },
  }),
};
