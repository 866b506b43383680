/**
 * Postgres refuses to run as root. Under root its programs run as the traditional nobody; under any other user as that
 * user. Deliberately not here: which files that user must own (data-directory.ts) or be able to reach (binaries.ts).
 * Trap: nobody needs search permission on every directory above a path, so that nothing below a 0700 home works.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HarnessError } from '../model/errors.ts';
import { startChildGroup } from '../process/child-group.ts';
import type { ExitRecord } from '../process/child-group.ts';
import { isolatedEnvironment } from '../process/environment.ts';

/** The user that the programs of Postgres run as; null when it is the user of the harness. */
export interface PostgresUser {
  readonly uid: number;
  readonly gid: number;
}

// Numbers instead of names: "nobody" is 65534 on every Linux distribution, its group is called differently on each.
const nobody: PostgresUser = { uid: 65_534, gid: 65_534 };

/** Whom Postgres runs as here. */
export function postgresUser(): PostgresUser | null {
  return process.getuid?.() === 0 ? nobody : null;
}

/**
 * Runs one short program as that user and answers how it ended and what it said. Throws HarnessError
 * ('postgres-not-ready') when it did not end within `timeoutMs` (it is killed first), or when it could not be started.
 */
export async function runAsPostgres(options: {
  readonly argv: readonly string[];
  readonly timeoutMs: number;
}): Promise<ExitRecord & { readonly output: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'restart-chaos-postgres-output-'));
  const logFile = join(directory, 'output.log');
  try {
    const child = await startChildGroup({
      argv: options.argv,
      env: isolatedEnvironment({}),
      cwd: '/',
      logFile,
      ...postgresUser(),
    });
    const timer = setTimeout(() => child.signal('SIGKILL', 'group'), options.timeoutMs);
    const exit = await child.exited;
    clearTimeout(timer);
    const output = await readFile(logFile, 'utf8');
    if (exit.signal !== 'SIGKILL') return { ...exit, output };
    throw new HarnessError(
      'postgres-not-ready',
      `"${options.argv.join(' ')}" did not end within ${options.timeoutMs} ms, or was killed; it said: ${output.trim()}`,
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
