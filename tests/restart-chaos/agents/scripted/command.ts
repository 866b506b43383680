/** Runs a command in the worktree, with its output in a file, so that it does not depend on this process's pipes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SendBeacon } from './beacon.ts';

export interface CommandOptions {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  /** Both streams are appended here. */
  readonly logFile: string;
  readonly beacon: SendBeacon;
  /** Called every second while the command runs. */
  readonly onTick?: () => Promise<void>;
}

const tickMs = 1_000;

const running = new Set<ChildProcess>();
let ending = false;

/** Ends the commands of this process and starts no more; for use when it is told to end itself. */
export function endCommands(): void {
  ending = true;
  for (const child of running) child.kill('SIGTERM');
}

/** Waits for the end and returns the exit code; a command that a signal ended counts as 128. */
export async function runCommand(options: CommandOptions): Promise<number> {
  await standStillWhenEnding();
  const [program, ...rest] = options.argv;
  const log = openSync(options.logFile, 'a');
  const child = spawn(program, rest, {
    stdio: ['ignore', log, log],
    // Byte code files come and go, and a file that vanishes from the worktree would look like lost work.
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  closeSync(log);
  running.add(child);
  const ended = new Promise<number>((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (code) => resolve(code ?? 128));
  });
  await options.beacon('command_started', options.name);
  let code = await Promise.race([ended, sleep(tickMs, null)]);
  while (code === null) {
    await options.onTick?.();
    code = await Promise.race([ended, sleep(tickMs, null)]);
  }
  running.delete(child);
  await standStillWhenEnding();
  await options.beacon('command_ended', `${options.name}: exit ${code}`);
  return code;
}

/** A command that was ended with its agent must not be tried again: it would outlive the agent, which dies in a moment. */
async function standStillWhenEnding(): Promise<void> {
  if (ending) await new Promise(() => undefined);
}
