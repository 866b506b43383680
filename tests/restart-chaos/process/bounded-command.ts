/**
 * Runs one short command to its end, with a hard limit on wall clock and output, and leaves nothing of it behind:
 * what the command put into the background is ended with it, also after a normal exit.
 *
 * Not for long-lived children (`child-group.ts`), and no sandbox: it limits how long, not what.
 * Trap: a grandchild that inherited the pipes keeps them open, so that waiting for the end of the output would wait
 * for the grandchild. The exit of the command decides; the pipes get a short grace and are then dropped.
 */
// node:child_process rather than execa: the order of exit, sweep and pipe end is the whole point of this file.
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { setImmediate as afterReading } from 'node:timers/promises';
import { HarnessError, errorText } from '../model/errors.ts';
import type { ProcessIdentity } from '../model/fault.ts';
import { isAlive, signalGroup } from './identity.ts';
import { distinct, killUntilGone } from './kill.ts';
import { groupOf, listProcesses, processesWithEnvironment, readProcess, treeBelow } from './table.ts';
import { withinTime } from './wait.ts';

/** What to run, and its limits. */
export interface BoundedCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment of the command; nothing of the harness's own is added but one marker. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Both streams together. */
  readonly outputLimitBytes: number;
  /** Text for standard input; without it the command reads an empty one. */
  readonly stdin?: string;
}

/** How it went. `exitCode` is null exactly when `signal` is set, or when the command could not be reaped in time. */
export interface BoundedResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly outcome: 'exited' | 'timed_out' | 'output_limit';
  readonly durationMs: number;
  /** Both streams in the order they came; the last `outputLimitBytes` bytes of them. */
  readonly output: string;
}

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>;

/** Marks everything below one command, so that what left its group and lost its parent is still found. */
const commandMarkerName = 'RESTART_CHAOS_COMMAND';
// A time limit of 1 s must be back in under 2 s (P-13): sweep and pipes together stay below that.
const sweepMs = 500;
const pipeGraceMs = 200;

/**
 * Runs the command and answers when it ended or was ended; at the latest about 0.7 s after `timeoutMs`. Rejects with
 * HarnessError when the program cannot be started; a bad exit is a result, not an error.
 */
export async function runBounded(command: BoundedCommand): Promise<BoundedResult> {
  const startedAtMs = performance.now();
  const marker = randomUUID();
  const child = await spawnCommand(command, marker);
  // Read before the event loop can reap the child, so that even one that ended at once has an identity.
  const leader = readProcess(child.pid ?? 0)?.identity ?? null;
  const output = collectOutput(child, command.outputLimitBytes);
  feed(child, command.stdin);
  const exited = new Promise<'exited'>((resolve) => child.once('exit', () => resolve('exited')));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));

  // On a crowded machine the start alone takes a good part of the time that was given.
  const remainingMs = Math.max(0, command.timeoutMs - (performance.now() - startedAtMs));
  const outcome = (await withinTime(Promise.race([exited, output.limitReached]), remainingMs)) ?? 'timed_out';
  await endAll(leader, marker);
  await withinTime(closed, pipeGraceMs);
  // When the loop was busy the timer comes before the pipes are looked at; this lets them be read once more.
  await afterReading();
  child.stdin?.destroy();
  child.stdout.destroy();
  child.stderr.destroy();
  child.unref();
  return {
    exitCode: child.exitCode,
    signal: child.signalCode,
    // What came through the pipes after the exit counts as well.
    outcome: outcome === 'exited' && output.overLimit() ? 'output_limit' : outcome,
    durationMs: performance.now() - startedAtMs,
    output: output.text(),
  };
}

async function spawnCommand(command: BoundedCommand, marker: string): Promise<Child> {
  const [program = '', ...args] = command.argv;
  try {
    const child = spawn(program, args, {
      cwd: command.cwd,
      env: { ...command.env, [commandMarkerName]: marker },
      detached: true,
      stdio: [command.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    }) as Child;
    const failure = new Promise<unknown>((resolve) => child.on('error', resolve));
    // Without a pid the program was not loaded, and `error` follows.
    if (child.pid === undefined) throw await failure;
    return child;
  } catch (error) {
    throw new HarnessError(
      'internal',
      `could not start "${command.argv.join(' ')}" in ${command.cwd}: ${errorText(error)}; ` +
        'the program or the directory is missing or may not be used',
      { cause: error },
    );
  }
}

function feed(child: Child, text: string | undefined): void {
  // A command that does not read its input closes the pipe early; that is its right.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(text);
}

function collectOutput(
  child: Child,
  limitBytes: number,
): { readonly limitReached: Promise<'output_limit'>; overLimit(): boolean; text(): string } {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const limitReached = new Promise<'output_limit'>((resolve) => {
    const take = (chunk: Buffer): void => {
      // Beyond the limit only what came between the limit and the kill; dropped, so that memory stays bounded.
      if (bytes > limitBytes) return;
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > limitBytes) resolve('output_limit');
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
  });
  return {
    limitReached,
    overLimit: () => bytes > limitBytes,
    text: () =>
      Buffer.concat(chunks)
        .subarray(Math.max(0, bytes - limitBytes))
        .toString('utf8'),
  };
}

async function endAll(leader: ProcessIdentity | null, marker: string): Promise<void> {
  // Listed before the kill: afterwards a descendant that left the group and dropped the marker has no parent to be
  // found by. The group itself dies in one system call, which not even a fork bomb outruns.
  const below = leader === null ? [] : treeBelow(leader);
  if (leader !== null) signalGroup(leader, 'SIGKILL');
  const find = (): readonly ProcessIdentity[] => {
    const rows = listProcesses();
    const ofGroup = leader === null ? [] : groupOf(leader, rows);
    return distinct([
      ...ofGroup,
      ...below.filter(isAlive),
      ...processesWithEnvironment(commandMarkerName, marker, rows),
    ]);
  };
  await killUntilGone({ find, withinMs: sweepMs });
}
