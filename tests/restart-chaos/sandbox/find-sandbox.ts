/**
 * Finds out which sandbox works here, by running something in it once: a program that is installed says nothing about
 * what this kernel, container or policy lets it do. Asked once per PATH; a success holds as long as the process lives.
 * Trap: Ubuntu 24.04 has bubblewrap and forbids it user namespaces (AppArmor); only the trial shows that.
 */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '../model/errors.ts';
import { runBounded } from '../process/bounded-command.ts';
import { isolatedEnvironment } from '../process/environment.ts';
import { confinedCommand, scratchOwner } from './confine.ts';
import { makeScratch } from './scratch-copy.ts';

/** A sandbox that was tried, or why there is none and how to get one. */
export type SandboxAnswer = FoundSandbox | { readonly kind: 'none'; readonly reason: string };

/** A sandbox that ran a command. */
export interface FoundSandbox {
  readonly kind: 'bubblewrap' | 'seatbelt';
  readonly path: string;
}

const answers = new Map<string, Promise<SandboxAnswer>>();

/** Looks on PATH, tries it with `true`, and remembers a success. Never throws. */
export async function findSandbox(): Promise<SandboxAnswer> {
  const searched = process.env['PATH'] ?? '';
  const pending = answers.get(searched) ?? search(searched);
  answers.set(searched, pending);
  const answer = await pending;
  // A trial can also fail for want of time on a busy machine.
  if (answer.kind === 'none') answers.delete(searched);
  return answer;
}

async function search(searched: string): Promise<SandboxAnswer> {
  const onMacos = process.platform === 'darwin';
  const program = onMacos ? 'sandbox-exec' : 'bwrap';
  const advice = onMacos
    ? 'sandbox-exec comes with macOS in /usr/bin'
    : 'install it with "apt install bubblewrap" (or dnf, pacman, apk: bubblewrap), version 0.7 or newer, and util-linux';
  const path = await findOnPath(program, searched);
  if (path === null) return { kind: 'none', reason: `${program} is not on PATH; ${advice}` };
  const found: FoundSandbox = { kind: onMacos ? 'seatbelt' : 'bubblewrap', path };
  const failure = await tryOnce(found);
  if (failure === null) return found;
  return {
    kind: 'none',
    reason: `${path} is there and cannot confine a command: ${failure}; ${advice}; in a container or under AppArmor it also needs permission for new namespaces`,
  };
}

async function findOnPath(program: string, searched: string): Promise<string | null> {
  for (const directory of searched.split(':').filter((entry) => entry.startsWith('/'))) {
    const path = join(directory, program);
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  return null;
}

async function tryOnce(found: FoundSandbox): Promise<string | null> {
  try {
    const empty = await makeScratch(null, scratchOwner(found));
    try {
      const { exitCode, output } = await runBounded({
        argv: await confinedCommand(found, {
          argv: ['true'],
          scratch: empty.path,
          readOnlyPaths: [],
          programDirectories: [],
          memoryBytes: 256 * 1024 ** 2,
        }),
        cwd: empty.path,
        env: isolatedEnvironment({}),
        timeoutMs: 10_000,
        outputLimitBytes: 4_096,
      });
      return exitCode === 0 ? null : `it ended with exit code ${exitCode} and said: ${output.trim()}`;
    } finally {
      await empty.remove();
    }
  } catch (error) {
    return errorText(error);
  }
}
