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

/** Does the steps that are not done yet. */
export async function workThroughSteps(card: TaskCard, output: Output, beacon: SendBeacon): Promise<void> {
  const path = `${directory}/${card.task}-progress.log`;
  await mkdir(directory, { recursive: true });
  const done = await stepsDone(path, card.nonce);
  if (done > 0) output.say(`continuing after step ${done} of ${card.pace.steps}`);
  for (let step = done + 1; step <= card.pace.steps; step += 1) {
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
