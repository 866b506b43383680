/** Which version of the harness this is: the commit of its checkout, for the record. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Short commit, `+changes` behind it when files differ from it; `unknown` outside a checkout or without git. */
export function harnessCommit(): string {
  const directory = fileURLToPath(new URL('../../../', import.meta.url));
  try {
    const commit = git(directory, 'rev-parse', '--short=12', 'HEAD');
    return git(directory, 'status', '--porcelain', '--untracked-files=no') === '' ? commit : `${commit}+changes`;
  } catch {
    return 'unknown';
  }
}

function git(directory: string, ...argv: readonly string[]): string {
  return execFileSync('git', ['-C', directory, ...argv], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
