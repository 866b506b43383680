/**
 * Installs a real agent command line on demand: the vendor's native part for this platform, which a target leaves out
 * because it is some hundred megabytes. In the version that the target's own library names, so that what the plane starts
 * fits what it speaks; a pinned one for a target that does not show its libraries (a checkout).
 *
 * Kept in the cache beside the targets, by version. Trap: it is there exactly when its directory is: that appears in
 * one rename, so a killed install never looks like a finished one.
 */
import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HarnessError } from '../../model/errors.ts';
import type { AgentCli } from '../../model/plan.ts';
import { withCacheLock } from '../cache-lock.ts';
import type { InstalledTarget, InstallOptions } from '../install.ts';
import { findManifest, usesMusl } from './native-parts.ts';
import { npmInstall } from './npm.ts';

interface CliPackage {
  /** The target's library that names the native parts among its optional dependencies; null when it uses none. */
  readonly library: string | null;
  /** The native part of this platform. */
  readonly part: string;
  /** Version of the part, as npm takes it, where the target names none. */
  readonly pinned: string;
  /** Path of the program within the part. */
  readonly program: string;
}

const platform = `${process.platform}-${process.arch}`;

const packages: Readonly<Record<AgentCli, () => CliPackage>> = {
  claude: () => ({
    library: '@anthropic-ai/claude-agent-sdk',
    part: `@anthropic-ai/claude-agent-sdk-${platform}${usesMusl() ? '-musl' : ''}`,
    pinned: '0.3.257',
    program: 'claude',
  }),
  codex: () => ({
    library: '@openai/codex',
    part: `@openai/codex-${platform}`,
    pinned: `npm:@openai/codex@0.156.1-${platform}`,
    program: `vendor/${codexTriple()}/bin/codex`,
  }),
  opencode: () => ({
    library: null,
    part: `opencode-${platform}${usesMusl() ? '-musl' : ''}`,
    pinned: '1.18.33',
    program: 'bin/opencode',
  }),
};

function codexTriple(): string {
  const system = process.platform === 'darwin' ? 'apple-darwin' : 'unknown-linux-musl';
  return `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-${system}`;
}

// Every target depends on its libraries through its server.
const server = '@paperclipai/server';

/**
 * Path of the program, installed when it is not in the cache yet. Throws UsageError when npm cannot bring it, HarnessError
 * (`target-install-failed`) when what npm brought has no such program. Safe to call from several waves at once.
 */
export async function installAgentCli(
  cli: AgentCli,
  target: InstalledTarget,
  options: InstallOptions,
): Promise<string> {
  const { library, part, pinned, program } = packages[cli]();
  const manifest = library === null ? null : await findManifest(target.directory, server, library);
  const version = manifest?.optionalDependencies?.[part] ?? pinned;
  const agents = join(options.cacheDirectory, 'agents');
  const folder = `${part.replaceAll('/', '+')}@${version.slice(version.lastIndexOf('@') + 1)}`;
  const path = join(agents, folder, 'node_modules', part, program);
  if (await isProgram(path)) return path;
  await mkdir(agents, { recursive: true });
  await withCacheLock({ ...options, directory: agents, name: folder }, async () => {
    if (!(await isProgram(path))) await fetchPart({ agents, folder, specifier: `${part}@${version}`, options });
  });
  if (await isProgram(path)) return path;
  throw new HarnessError(
    'target-install-failed',
    `npm installed ${part}@${version} without an error, but it has no program ${program}: looked for ${path}`,
  );
}

interface PartToFetch {
  readonly agents: string;
  readonly folder: string;
  readonly specifier: string;
  readonly options: InstallOptions;
}

/** Beside its place first; the caller holds the lock, so what lies there was left by a killed install. */
async function fetchPart({ agents, folder, specifier, options }: PartToFetch): Promise<void> {
  const beside = `.installing-${folder}-`;
  const left = (await readdir(agents)).filter((name) => name.startsWith(beside));
  for (const name of left) await rm(join(agents, name), { recursive: true, force: true });
  const workplace = join(agents, `${beside}${randomBytes(4).toString('hex')}`);
  await mkdir(workplace);
  try {
    options.progress(`installing ${specifier} from npm (once, a few hundred megabytes; kept in ${agents})`);
    const manifest = { name: 'restart-chaos-agent', private: true, version: '0.0.0' };
    await writeFile(join(workplace, 'package.json'), `${JSON.stringify(manifest)}\n`);
    const signal = options.signal === undefined ? {} : { signal: options.signal };
    await npmInstall([specifier], { cwd: workplace, purpose: `install ${specifier}`, ...signal });
    await rm(join(agents, folder), { recursive: true, force: true });
    await rename(workplace, join(agents, folder));
  } finally {
    await rm(workplace, { recursive: true, force: true });
  }
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
