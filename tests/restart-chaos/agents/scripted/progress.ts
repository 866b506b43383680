/**
 * The visible work before the result: so many steps, each so long. Finished steps are appended to a file in the
 * worktree, so that a run after an interrupted one goes on where it stopped. Appended and never rewritten or renamed:
 * a step is either in it or not, and no file of the worktree ever vanishes.
 */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskCard } from '../../model/card.ts';
import type { SendBeacon } from './beacon.ts';
import type { Output } from './output.ts';

const directory = '.chaos';

/** How many steps a task has. The long command of B5 is its own pace. */
export function stepCount({ workload, pace }: TaskCard): number {
  return workload === 'B5' ? 0 : pace.steps;
}

/** Does the steps that are not done yet, up to and with step `last`. */
export async function workThroughSteps(
  card: TaskCard,
  output: Output,
  beacon: SendBeacon,
  last = stepCount(card),
): Promise<void> {
  if (last === 0) return;
  const path = `${directory}/${card.task}-progress.log`;
  await mkdir(directory, { recursive: true });
  const done = await stepsDone(path, card.nonce);
  if (done > 0) output.say(`continuing after step ${done} of ${card.pace.steps}`);
  for (let step = done + 1; step <= last; step += 1) {
    output.say(`step ${step} of ${card.pace.steps}`);
    await beacon('step', `step ${step}`);
    await sleep(card.pace.stepMs);
    await appendFile(path, `${card.nonce} ${step}\n`);
  }
}

/** Counts whole lines only: a torn last one is a step that did not finish. */
async function stepsDone(path: string, nonce: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const lines = text.split('\n').slice(0, -1);
  return lines.reduce((most, line) => {
    const [owner, step] = line.split(' ');
    return owner === nonce ? Math.max(most, Number(step) || 0) : most;
  }, 0);
}
