import { execFileSync } from 'node:child_process';
import type { Defect } from '../defects.ts';

/** What a lost run left in its worktree counts as damage, and is repaired by throwing it away. */
export const defect: Defect = {
  name: 'worktree-wiped',
  goesWrong: 'after a crash the worktree is set back: files that the agent had not committed are gone',
  caughtBy: { rule: 'R2', code: 'lost_file' },
  trigger: 'K3 while an agent works',
  reportedIn: ['paperclipai/paperclip#10555'],
  plant: ({ reap }) => ({
    reap: async (plane, run) => {
      await reap(plane, run);
      const worktrees = await plane.database.query<{ cwd: string }>(
        'select cwd from execution_workspaces where source_issue_id = $1',
        [run.context_snapshot.issueId],
      );
      for (const { cwd } of worktrees) execFileSync('git', ['-C', cwd, 'clean', '--quiet', '-dfx']);
    },
  }),
};
