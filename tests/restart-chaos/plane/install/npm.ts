/**
 * Runs the npm of the machine. Its environment is the user's own on purpose: registry, proxy and cache are
 * configured there. Not for the plane, which gets an isolated environment.
 *
 * Trap: npm retries a registry that does not answer for more than a minute by default; the retries here are short.
 */
import { execa } from 'execa';
import { HarnessError, UsageError } from '../../model/errors.ts';

export interface NpmOptions {
  readonly cwd: string;
  /** What the call is for, as it completes "npm could not …". */
  readonly purpose: string;
  readonly signal?: AbortSignal;
}

const installTimeoutMs = 15 * 60_000;
const shownLines = 12;
const retryArguments = ['--fetch-retries=3', '--fetch-retry-mintimeout=500', '--fetch-retry-maxtimeout=4000'];

/**
 * Runs npm to its end and returns what it printed. Throws UsageError with the last lines npm said when npm is not
 * there, ends badly or takes longer than 15 minutes; HarnessError `interrupted` when the signal ended it.
 */
export async function runNpm(npmArguments: readonly string[], options: NpmOptions): Promise<string> {
  const result = await execa('npm', [...npmArguments], {
    cwd: options.cwd,
    stdin: 'ignore',
    all: true,
    reject: false,
    timeout: installTimeoutMs,
    forceKillAfterDelay: 5_000,
    maxBuffer: 4 * 1024 * 1024,
    env: { NO_UPDATE_NOTIFIER: '1' },
    ...(options.signal === undefined ? {} : { cancelSignal: options.signal }),
  });
  if (!result.failed) return result.stdout;
  if (result.isCanceled)
    throw new HarnessError('interrupted', `npm was asked to ${options.purpose} and was interrupted`);
  throw new UsageError([explain(options.purpose, result)]);
}

/** npm's install command, without scripts of packages, without optional parts, quiet. */
export async function npmInstall(specifiers: readonly string[], options: NpmOptions): Promise<void> {
  const flags = ['--ignore-scripts', '--omit=optional', '--save-exact', '--no-audit', '--no-fund', '--loglevel=error'];
  await runNpm(['install', ...flags, ...retryArguments, ...specifiers], options);
}

interface NpmFailure {
  readonly code?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly signal?: string | undefined;
  readonly timedOut: boolean;
  readonly all?: string | undefined;
  readonly shortMessage?: string | undefined;
}

function explain(purpose: string, failure: NpmFailure): string {
  if (failure.code === 'ENOENT' && failure.exitCode === undefined) {
    return `npm could not ${purpose}: there is no program "npm" on PATH. Install Node.js with npm, or use a cache that has the target.`;
  }
  const said = (failure.all ?? '').trim().split('\n').slice(-shownLines).join('\n');
  return [`npm could not ${purpose}: ${reason(failure, said)}`, said === '' ? null : `npm said:\n${said}`]
    .filter((line) => line !== null)
    .join('\n');
}

function reason(failure: NpmFailure, said: string): string {
  if (failure.timedOut) return `no end after ${installTimeoutMs / 60_000} minutes; look at the network.`;
  if (/\b(E404|ETARGET|ENOVERSIONS)\b/.test(said)) {
    return 'the registry has no such version. "npm view @paperclipai/server versions" lists what there is.';
  }
  if (/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED|ENETUNREACH)\b/.test(said)) {
    return 'the registry cannot be reached. Connect, set "npm config set registry", or bring a cache that has the target.';
  }
  if (/\bENOSPC\b/.test(said)) return 'the disk is full; a target takes about 0.8 GB.';
  if (failure.signal !== undefined) return `it was ended by ${failure.signal}.`;
  if (failure.exitCode !== undefined) return `exit code ${failure.exitCode}.`;
  return failure.shortMessage ?? 'it could not be run.';
}
