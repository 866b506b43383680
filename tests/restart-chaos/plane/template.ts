/**
 * A plane that has booted once and was stopped gracefully: its home and its database, kept in the cache and copied
 * for each wave, so that a wave does not spend its first seconds on migrations that are the same every time.
 *
 * Does not know how a plane or a database is started: the caller fills the template. Trap: only a cleanly stopped
 * plane may be kept, because a copy of a running one would bring runs and locks into every wave.
 */
import { constants } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { withCacheLock } from './cache-lock.ts';
import type { InstalledTarget } from './install.ts';

export interface Template {
  /** Home of the server, as it was when it stopped. */
  readonly home: string;
  /** Data directory of the cluster, cleanly stopped. */
  readonly dataDirectory: string;
}

export interface TemplateOptions {
  readonly cacheDirectory: string;
  readonly key: string;
  /** Boots a plane in these two directories until it is ready, and stops both gracefully. */
  readonly fill: (template: Template) => Promise<void>;
  readonly progress: (line: string) => void;
}

/** Raise when what goes into a template changes: the key of old ones then matches no more. */
const templateLayout = 1;

/**
 * What a template depends on; equal keys, interchangeable templates. Null for a checkout that cannot be told from
 * another by its commit: such a plane boots from nothing each time.
 */
export function templateKey(installed: InstalledTarget, postgresVersion: string): string | null {
  const published = installed.text === `paperclip@${installed.version}`;
  if (!published && (installed.commit === null || installed.commit.endsWith('+dirty'))) return null;
  const build = published ? installed.version : `${installed.version}-${installed.commit}`;
  return `paperclip-${build}-postgres-${postgresVersion}-v${templateLayout}`.replaceAll(/[^A-Za-z0-9._-]/g, '_');
}

/**
 * The template of this key, filled now when there is none. Several waves at once fill it once. Throws what `fill`
 * throws; then nothing is kept.
 */
export async function ensureTemplate(options: TemplateOptions): Promise<Template> {
  const templates = join(options.cacheDirectory, 'templates');
  const directory = join(templates, options.key);
  if (await exists(directory)) return templateIn(directory);
  await mkdir(templates, { recursive: true });
  const lock = { directory: templates, name: options.key, progress: options.progress };
  return await withCacheLock(lock, async () => {
    if (!(await exists(directory))) await fillAside(directory, templates, options);
    return templateIn(directory);
  });
}

async function fillAside(directory: string, templates: string, options: TemplateOptions): Promise<void> {
  const prefix = `.filling-${options.key}-`;
  // Under the lock nobody else fills this key: what lies there was left by a killed wave.
  for (const name of await readdir(templates)) {
    if (name.startsWith(prefix)) await rm(join(templates, name), { recursive: true, force: true });
  }
  const aside = join(templates, `${prefix}${randomBytes(4).toString('hex')}`);
  await mkdir(aside);
  await mkdir(join(aside, 'home'), { mode: 0o700 });
  try {
    await options.fill(templateIn(aside));
    await rename(aside, directory);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Copies a home to a place that does not exist yet, its parent must; by reflink where the file system can. */
export async function cloneHome(from: string, to: string): Promise<void> {
  // Whatever the original allows: the keys in it are for the plane only.
  await mkdir(to, { mode: 0o700 });
  // No `errorOnExist`: it refuses the directory just made, which nobody else can have put anything into.
  await cp(from, to, {
    recursive: true,
    force: false,
    preserveTimestamps: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
  });
}

function templateIn(directory: string): Template {
  return { home: join(directory, 'home'), dataDirectory: join(directory, 'postgres') };
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
