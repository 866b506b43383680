import type { Defect } from '../defects.ts';

/** A lost run counts against its agent, which is paused; the retry is the agent's own, and nobody lifts the pause. */
export const defect: Defect = {
  name: 'agent-paused',
  goesWrong: 'recovery pauses the agent whose run was lost, so that the retry stays in the queue',
  caughtBy: { rule: 'R5', code: 'stalled' },
  trigger: 'K3 while an agent works',
  reportedIn: ['paperclipai/paperclip#6523', 'paperclipai/paperclip#11051'],
  plant: ({ follow }) => ({
    follow: async (sql, ended, end, timers) => {
      await follow(sql, ended, end, timers);
      if (end.errorCode !== 'process_lost') return;
      await sql.query("update agents set status = 'paused', pause_reason = 'process_lost' where id = $1 returning id", [
        ended.run.agent_id,
      ]);
    },
  }),
};
