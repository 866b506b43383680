/**
 * The guardian's program: a second process that ends a wave when the harness dies without saying goodbye, and that
 * resumes what a fault has paused when the harness is paused itself. Started by `guardian.ts`, told what to do line by
 * line over its input; the end of that input without a `dismiss` is the death of the harness.
 *
 * It judges nothing and starts nothing. Trap: it may not carry the wave's marker, or it would find itself.
 * Arguments: wave id, run directory, state file, limit in milliseconds.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorText } from '../model/errors.ts';
import { guardianReadyLine, parseMessage } from './guardian-message.ts';
import type { GuardianMessage, GuardianState } from './guardian-message.ts';
import { identityKey } from '../model/fault.ts';
import { signalProcess } from './identity.ts';
import { killUntilGone } from './kill.ts';
import type { KillReport } from './kill.ts';
import { createWatchedSet } from './watched-set.ts';

// A killed process is gone in milliseconds; only one that hangs in the kernel takes longer, and then no wait helps.
const endWithinMs = 8000;

const [wave = '', runDirectory = '', stateFile = '', limitMs = ''] = process.argv.slice(2);
const watchedSet = createWatchedSet(wave);
const resumes = new Map<string, { readonly timer: NodeJS.Timeout; readonly resume: () => void }>();
let unread = '';
let over = false;

// The harness is ended by these, and the guardian has to outlive it. Only `dismiss` and the end of input end it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) process.on(signal, () => undefined);
process.stdin.setEncoding('utf8').on('data', readLines);
for (const event of ['end', 'close', 'error'] as const) process.stdin.on(event, () => void endWave('harness_died'));
// A harness that hangs or is stopped cannot keep its own deadline; this one is kept for it (P-08).
setTimeout(() => void endWave('limit_reached'), Number(limitMs));
// Nobody reads any more once the harness is dead.
process.stdout.on('error', () => undefined);
process.stdout.write(`${guardianReadyLine}\n`);

function readLines(text: string): void {
  const lines = (unread + text).split('\n');
  unread = lines.pop() ?? '';
  for (const line of lines) {
    const message = parseMessage(line);
    if (message !== null) obey(message);
  }
}

function obey(message: GuardianMessage): void {
  switch (message.do) {
    case 'watch':
      watchedSet.watch(message.identity, message.label);
      return;
    case 'forget':
      watchedSet.forget(message.identity);
      return;
    case 'resume_after':
      resumeAfter(message);
      return;
    case 'cancel_resume':
      clearTimeout(resumes.get(identityKey(message.identity))?.timer);
      resumes.delete(identityKey(message.identity));
      return;
    case 'dismiss':
      over = true;
      // A pause that still has a limit is a fault that was not taken back; it does not outlive its guard.
      for (const { resume } of resumes.values()) resume();
      process.exit(0);
  }
}

function resumeAfter({
  identity,
  ms,
}: {
  readonly identity: Parameters<typeof identityKey>[0];
  readonly ms: number;
}): void {
  const key = identityKey(identity);
  clearTimeout(resumes.get(key)?.timer);
  const resume = (): void => {
    resumes.delete(key);
    try {
      signalProcess(identity, 'SIGCONT');
    } catch (error) {
      process.stderr.write(`could not resume ${key}: ${errorText(error)}\n`);
    }
  };
  resumes.set(key, { timer: setTimeout(resume, ms), resume });
}

async function endWave(why: GuardianState['why']): Promise<void> {
  if (over) return;
  over = true;
  const report = await killUntilGone({ find: watchedSet.find, withinMs: endWithinMs });
  writeState(why, report);
  process.exit(0);
}

function writeState(why: GuardianState['why'], report: KillReport): void {
  const state: GuardianState = {
    schema: 1,
    wave,
    runDirectory,
    why,
    endedAt: new Date().toISOString(),
    ended: report.ended.map(watchedSet.describe),
    stillAlive: report.stillAlive.map(watchedSet.describe),
  };
  const draft = `${stateFile}.${process.pid}`;
  mkdirSync(dirname(stateFile), { recursive: true });
  // Renamed into place, so that a reader never finds half of it.
  writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`, { flag: 'wx', flush: true });
  renameSync(draft, stateFile);
}
