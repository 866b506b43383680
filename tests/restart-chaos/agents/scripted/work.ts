/** One run of the agent on its task, from the assignment to done. */
import { existsSync } from 'node:fs';
import type { TaskCard } from '../../model/card.ts';
import { AgentStop, agentExit } from './agent-stop.ts';
import { readAssignment } from './assignment.ts';
import type { SendBeacon } from './beacon.ts';
import { workOnBench } from './bench-work.ts';
import { workOnBrief } from './brief-work.ts';
import { openEffects, type Effects } from './effects.ts';
import { workOnFix } from './fix-work.ts';
import type { Output } from './output.ts';
import { createPlaneClient } from './plane-client.ts';
import { workThroughSteps } from './progress.ts';
import type { AgentSettings } from './settings.ts';

export interface TaskWork {
  readonly card: TaskCard;
  readonly effects: Effects;
  readonly beacon: SendBeacon;
  readonly output: Output;
}

/** Makes sure that the result is there, however much of it is there already; returns the sentence to report. */
const results: Readonly<Record<TaskCard['workload'], (work: TaskWork) => Promise<string>>> = {
  A1: workOnBrief,
  B1: workOnFix,
  B5: workOnBench,
  C1: workOnBrief,
};

/** Does the task. Returns what to conclude with; throws AgentStop when it cannot. */
export async function workOnTask(settings: AgentSettings, output: Output, beacon: SendBeacon): Promise<string> {
  const client = createPlaneClient(settings, output.say, beacon);
  await beacon('started', settings.temperament);
  output.say(`run ${settings.runId} begins`);
  const { issueId, card, worktree } = await readAssignment(client, settings);
  enterWorktree(worktree);
  output.say(`task ${card.task} (${card.workload}) in ${process.cwd()}`);
  await beacon('activity', `task ${card.task}`);
  const effects = openEffects({ client, beacon, task: card.task, issueId });
  const work = { card, effects, beacon, output };
  // The long command is its own pace.
  if (card.workload !== 'B5') await workThroughSteps(card, output, beacon);
  const result = results[card.workload];
  const sentence = await result(work);
  const reported = await effects.comment('report', `${sentence}.`);
  // What the board said meanwhile belongs into the brief before the task is called done.
  if (result === workOnBrief) await result(work);
  // The plane wants a comment of every run that ends well, or it starts another one to get it.
  if (!reported) await effects.comment(`note-${settings.runId.slice(0, 8)}`, 'Checked again: the result is in place.');
  await effects.status('done');
  return `${sentence}; task done`;
}

function enterWorktree(worktree: string | null): void {
  if (worktree === null) return;
  if (!existsSync(worktree)) throw new AgentStop(agentExit.cannotWork, `the worktree ${worktree} is not there`);
  process.chdir(worktree);
}
