/**
 * The directory in which a wave's plane lives: home, database, workspaces, logs as they are written. Below the
 * system's temporary directory and not below the results, because Postgres runs unprivileged under root and cannot
 * enter every checkout. Evidence never lies here.
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface RunDirectory {
  readonly path: string;
  readonly home: string;
  readonly dataDirectory: string;
  readonly logs: string;
  readonly tmp: string;
  readonly repository: string;
  readonly worktrees: string;
  readonly bin: string;
  /** Where process agents start, before they find their worktree. */
  readonly lobby: string;
  remove(): Promise<void>;
}

/** Makes a new one. Only what this call made is ever removed, also when it fails half-way. */
export async function createRunDirectory(): Promise<RunDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'restart-chaos-'));
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });
  const directory: RunDirectory = {
    path,
    home: join(path, 'home'),
    dataDirectory: join(path, 'database'),
    logs: join(path, 'logs'),
    tmp: join(path, 'tmp'),
    repository: join(path, 'repository'),
    worktrees: join(path, 'worktrees'),
    bin: join(path, 'bin'),
    lobby: join(path, 'lobby'),
    remove,
  };
  try {
    await openDirectory(path);
    // Logs are redacted only when they are copied into the evidence; until then they are for our eyes only.
    for (const each of [directory.logs, directory.tmp, directory.worktrees, directory.bin, directory.lobby]) {
      await mkdir(each, { mode: 0o700 });
    }
    return directory;
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Lets others pass through, not look in: an unprivileged Postgres must reach its data directory below. */
export async function openDirectory(path: string): Promise<void> {
  await chmod(path, 0o711);
}
