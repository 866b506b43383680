/**
 * Starts an agent's process so that it can neither be lost nor die with the plane.
 *
 * A shell is started first, as the leader of a group of its own, and waits at a gate: a pipe of the plane. The plane
 * stores the shell's pid and start time, commits, and only then opens the gate. A plane that dies before that closes
 * the pipe, and the shell ends without having started anything. So a run without a stored process never ran.
 * Output goes to a file and not to the plane; the exit code is left in a file beside it, whoever is there to read it.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Plane } from '../plane.ts';
import { identify, type ProcessIdentity } from './process.ts';
import { runDirectory } from './run-files.ts';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Launch {
  readonly process: ProcessIdentity;
  /** Lets the agent begin. To be called once its process is stored. */
  open(): void;
  /** Ends the launch without the agent ever having begun. */
  abandon(): void;
}

// The exit file appears in one rename: it is either not there or whole.
const launcher = `
directory=$1; shift
read -r _ || exit 0
"$@" < /dev/null
echo $? > "$directory/exit.new" && mv "$directory/exit.new" "$directory/exit"
`;

/** Throws an Error when the process cannot be started at all, for example because the directory is not there. */
export async function launch(plane: Plane, runId: string, command: Command): Promise<Launch> {
  const directory = runDirectory(plane, runId);
  mkdirSync(directory, { recursive: true });
  const output = openSync(join(directory, 'output'), 'a');
  const child = spawn('/bin/sh', ['-c', launcher, 'launcher', directory, command.program, ...command.args], {
    cwd: command.cwd,
    env: command.env,
    detached: true,
    stdio: ['pipe', output, output],
  });
  closeSync(output);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  // A gate whose shell is gone: the watch sees that there is no process.
  const gate = child.stdin;
  gate?.on('error', () => undefined);
  child.unref();
  const process = identify(child.pid ?? 0);
  if (process === null) throw new Error(`the process of run ${runId} ended before it began; see ${directory}/output`);
  return { process, open: () => gate?.end('begin\n'), abandon: () => gate?.destroy() };
}
