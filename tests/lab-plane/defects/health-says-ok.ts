import type { Defect } from '../defects.ts';

/** Health answers from what the boot knew, and asks no database. */
export const defect: Defect = {
  name: 'health-says-ok',
  goesWrong: 'health says "ok" while the database is away',
  caughtBy: { rule: 'N7', code: 'ok_without_database' },
  trigger: 'DB4, also short',
  reportedIn: [],
  plant: () => ({ databaseAnswers: async () => true }),
};
