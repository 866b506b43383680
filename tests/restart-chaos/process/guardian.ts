/**
 * The harness's side of the guardian: a second process in a session of its own that ends the wave's processes when the
 * harness dies in whatever way (`guardian-main.ts` is that process), and that takes back a pause in time (P-08).
 *
 * It holds a pipe from us and nothing else of ours, keeps us neither alive nor our output open, and gets no marker.
 * Trap: it cannot help when it is killed too (a container that ends, a reboot); the next start finds the rest.
 */
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { HarnessError, errorText } from '../model/errors.ts';
import type { ProcessIdentity } from '../model/fault.ts';
import { isolatedEnvironment } from './environment.ts';
import { formatMessage, guardianReadyLine } from './guardian-message.ts';
import type { GuardianMessage } from './guardian-message.ts';
import { signalProcess } from './identity.ts';
import { readProcess } from './table.ts';
import { withinTime } from './wait.ts';

/** The second process, as the harness talks to it. Telling something to a guardian that is gone has no effect. */
export interface Guardian {
  readonly identity: ProcessIdentity;
  /**
   * Resolves when the guardian is gone, for whatever reason; never rejects. Before a `dismiss` that means that nobody
   * guards the wave any more: it was killed, or it reached its limit and has ended the wave.
   */
  readonly exited: Promise<void>;
  /** From now on this process, its group and everything below it may not outlive the harness. */
  watch(identity: ProcessIdentity, label: string): void;
  /** It ended, or is none of ours any more. What carries the wave's marker is ended all the same. */
  forget(identity: ProcessIdentity): void;
  /** Sends SIGCONT after `ms` unless cancelled, even when the harness is paused or gone. One limit per process. */
  resumeAfter(identity: ProcessIdentity, ms: number): void;
  cancelResume(identity: ProcessIdentity): void;
  /** Ends the guardian, which leaves everything alive but resumes what is still paused. Resolves when it is gone. */
  dismiss(): Promise<void>;
}

export interface GuardianOptions {
  readonly wave: string;
  /** Takes `guardian.log`; named in the state file, so that the next start knows what to delete. */
  readonly runDirectory: string;
  /** Written by the guardian when, and only when, it ended the wave; see `GuardianState`. */
  readonly stateFile: string;
  /** The wave is ended after this, also when the harness lives: it hangs or is stopped. At most 24 days. */
  readonly limitMs: number;
}

type Child = ChildProcessByStdio<Socket, Socket, null>;

// Loading the program took 0.1 s alone and 1 s on a busy machine with two cores.
const readyWithinMs = 15_000;
const dismissWithinMs = 5000;

/** Starts the guardian and resolves once it watches. Rejects with HarnessError when it does not come up. */
export async function startGuardian(options: GuardianOptions): Promise<Guardian> {
  const logFile = join(options.runDirectory, 'guardian.log');
  const child = spawnGuardian(options, logFile);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const identity = readProcess(child.pid ?? 0)?.identity;
  // When it is gone, so is the pipe; what it was told last does not matter then.
  child.stdin.on('error', () => undefined);
  await awaitReady(child, exited, logFile);
  if (identity === undefined) throw new HarnessError('internal', 'the guardian is not in the process table');
  child.unref();
  child.stdin.unref();
  child.stdout.destroy();

  const tell = (message: GuardianMessage): void => {
    if (child.stdin.writable) child.stdin.write(formatMessage(message));
  };
  return {
    identity,
    exited,
    watch: (watched, label) => tell({ do: 'watch', identity: watched, label }),
    forget: (watched) => tell({ do: 'forget', identity: watched }),
    resumeAfter: (paused, ms) => tell({ do: 'resume_after', identity: paused, ms }),
    cancelResume: (paused) => tell({ do: 'cancel_resume', identity: paused }),
    dismiss: async () => {
      // From here on its end is waited for, so that it may keep this process alive until then.
      child.ref();
      tell({ do: 'dismiss' });
      if ((await withinTime(exited, dismissWithinMs)) !== null) return;
      signalProcess(identity, 'SIGKILL');
      await exited;
    },
  };
}

function spawnGuardian(options: GuardianOptions, logFile: string): Child {
  const program = fileURLToPath(new URL('./guardian-main.ts', import.meta.url));
  // Node runs TypeScript by itself since 22.18; an older one needs the loader that also runs the harness.
  const loader = process.features.typescript ? [] : ['--import', import.meta.resolve('tsx')];
  let log: number | null = null;
  try {
    log = openSync(logFile, 'a');
    const argv = [...loader, program, options.wave, options.runDirectory, options.stateFile, String(options.limitMs)];
    const child = spawn(process.execPath, argv, {
      // Away from every directory that somebody may want to delete.
      cwd: '/',
      env: isolatedEnvironment({}),
      detached: true,
      stdio: ['pipe', 'pipe', log],
    });
    child.on('error', () => undefined);
    return child as unknown as Child;
  } catch (error) {
    throw new HarnessError('internal', `could not start the guardian with log ${logFile}: ${errorText(error)}`, {
      cause: error,
    });
  } finally {
    if (log !== null) closeSync(log);
  }
}

async function awaitReady(child: Child, exited: Promise<void>, logFile: string): Promise<void> {
  const ready = new Promise<'ready'>((resolve) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes(guardianReadyLine)) resolve('ready');
    });
  });
  const failed = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(errorText(error)));
    void exited.then(() => resolve(`it ended with ${child.exitCode ?? child.signalCode}`));
  });
  const late = `it was not ready within ${readyWithinMs} ms`;
  const outcome = (await withinTime(Promise.race([ready, failed]), readyWithinMs)) ?? late;
  if (outcome === 'ready') return;
  child.kill('SIGKILL');
  throw new HarnessError('internal', `the guardian did not come up: ${outcome}; log: ${logFile}`);
}
