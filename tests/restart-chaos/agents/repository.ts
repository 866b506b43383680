/**
 * Makes the git repository that the plane cuts each task's worktree from: a copy of chaos-sandbox in one commit with a
 * fixed author and date, so that the commit is the same in every wave. Trap: no git configuration of the user may take
 * part (hooks, signing, templates, line ends), hence the environment below.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { errorText, HarnessError } from '../model/errors.ts';

/** The project as it lies in this repository. */
const sandboxProject = fileURLToPath(new URL('./chaos-sandbox/', import.meta.url));

const run = promisify(execFile);

const fixedDate = '2026-01-01T00:00:00Z';

/** Fills an empty or missing directory with the repository, branch `main`. Returns the commit. Throws HarnessError. */
export async function prepareRepository(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  const present = await readdir(directory);
  if (present.length > 0) {
    throw new HarnessError(
      'internal',
      `the repository needs an empty directory; ${directory} has ${present.join(', ')}`,
    );
  }
  await cp(sandboxProject, directory, { recursive: true, filter: (source) => basename(source) !== '__pycache__' });
  const git = async (...argv: readonly string[]): Promise<string> => {
    try {
      const { stdout } = await run('git', ['-C', directory, ...argv], { env: gitEnvironment() });
      return stdout.trim();
    } catch (cause) {
      throw new HarnessError('internal', `git ${argv.join(' ')} failed in ${directory}: ${errorText(cause)}`, {
        cause,
      });
    }
  };
  await git('init', '--quiet', '--template=', '--initial-branch=main');
  await git('add', '--all');
  await git('commit', '--quiet', '--message=chaostool with one failing test');
  return git('rev-parse', 'HEAD');
}

function gitEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'] ?? '',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_AUTHOR_NAME: 'restart-chaos',
    GIT_AUTHOR_EMAIL: 'restart-chaos@localhost',
    GIT_AUTHOR_DATE: fixedDate,
    GIT_COMMITTER_NAME: 'restart-chaos',
    GIT_COMMITTER_EMAIL: 'restart-chaos@localhost',
    GIT_COMMITTER_DATE: fixedDate,
  };
}
