import type { Defect } from '../defects.ts';

/** The place of a run is given back by nothing that ends it, and no sweep counts the places. */
export const defect: Defect = {
  name: 'agent-left-running',
  goesWrong: 'an agent stays marked as running after its last run is over',
  caughtBy: { rule: 'R6', code: 'left_agent' },
  trigger: 'every run, also without a fault',
  reportedIn: ['apache/airflow#43448', 'dagster-io/dagster#28456'],
  plant: ({ release }) => ({
    release: async (sql, run, end) => {
      await release(sql, run, end);
      await sql.query("update agents set status = 'running' where id = $1 returning id", [run.agent_id]);
    },
    sweep: async () => undefined,
  }),
};
