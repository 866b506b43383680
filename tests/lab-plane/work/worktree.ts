/**
 * One git worktree an issue, below the directory that the project names. Made before the first run of the issue and
 * kept for every further one, so that a run goes on with the files of the one before.
 *
 * Trap: git may have been cut off in the middle. A worktree counts only when its row is there; what lies in its place
 * without one was never given to an agent and is made anew.
 */
import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { oneRow, type Database } from '../database/database.ts';
import type { IssueRow } from './rows.ts';

export interface Worktree {
  readonly id: string;
  readonly cwd: string;
}

interface ProjectRow {
  readonly workspace: { readonly cwd?: string } | null;
  readonly execution_workspace_policy: {
    readonly workspaceStrategy?: { readonly worktreeParentDir?: string };
  } | null;
}

const execute = promisify(execFile);
/** Git locks its list of worktrees; two at a time would refuse each other. */
let queue: Promise<unknown> = Promise.resolve();

/** The worktree of an issue; null when its project has no policy for one. Throws what git says. */
export async function worktreeOf(database: Database, issue: IssueRow): Promise<Worktree | null> {
  const [known] = await database.query<Worktree>(
    'select id, cwd from execution_workspaces where source_issue_id = $1',
    [issue.id],
  );
  if (known !== undefined) return known;
  const [project] = await database.query<ProjectRow>('select * from projects where id = $1', [issue.project_id]);
  const repository = project?.workspace?.cwd;
  const parent = project?.execution_workspace_policy?.workspaceStrategy?.worktreeParentDir;
  if (repository === undefined || parent === undefined) return null;
  const place = { repository, cwd: join(parent, issue.identifier), branch: issue.identifier };
  const made = queue.then(() => makeWorktree(place));
  queue = made.catch(() => undefined);
  await made;
  return store(database, issue, place);
}

interface Place {
  readonly repository: string;
  readonly cwd: string;
  readonly branch: string;
}

async function makeWorktree({ repository, cwd, branch }: Place): Promise<void> {
  await mkdir(join(cwd, '..'), { recursive: true });
  await rm(cwd, { recursive: true, force: true });
  await git(repository, ['worktree', 'prune']);
  await git(repository, ['worktree', 'add', '--quiet', '--force', '-B', branch, cwd]);
}

async function git(repository: string, args: readonly string[]): Promise<void> {
  await execute('git', ['-C', repository, ...args]);
}

async function store(database: Database, issue: IssueRow, { cwd, branch }: Place): Promise<Worktree> {
  return database.transaction(async (sql) => {
    const worktree = await oneRow<Worktree>(
      sql,
      `insert into execution_workspaces (company_id, source_issue_id, cwd, branch_name, status)
       values ($1, $2, $3, $4, 'active') returning id, cwd`,
      [issue.company_id, issue.id, cwd, branch],
    );
    await sql.query('update issues set execution_workspace_id = $2, updated_at = now() where id = $1', [
      issue.id,
      worktree.id,
    ]);
    return worktree;
  });
}
