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
  readonly runId: string;
}

/** Makes sure that the result is there, however much of it is there already; returns the sentence to report. */
const results: Readonly<Record<TaskCard['workload'], (work: TaskWork) => Promise<string>>> = {
  A1: workOnBrief,
  B1: workOnFix,
  B5: workOnBench,
  C1: workOnBrief,
  S1: workOnBrief,
};

/** Does the task. Returns what to conclude with; throws AgentStop when it cannot. */
export async function workOnTask(settings: AgentSettings, output: Output, beacon: SendBeacon): Promise<string> {
  await beacon('started', settings.temperament);
  output.say(`run ${settings.runId} begins`);
  const work = await openWork(settings, output, beacon);
  await sayWhere(work);
  await workThroughSteps(work.card, output, beacon);
  const { sentence, reported } = await deliver(work);
  await finish(work, reported);
  return `${sentence}; task done`;
}

/** Asks the plane what this run is for, and enters the worktree it made. */
export async function openWork(settings: AgentSettings, output: Output, beacon: SendBeacon): Promise<TaskWork> {
  const client = createPlaneClient(settings, output.say, beacon);
  const { issueId, card, worktree } = await readAssignment(client, settings);
  enterWorktree(worktree);
  const effects = openEffects({ client, beacon, task: card.task, issueId });
  return { card, effects, beacon, output, runId: settings.runId };
}

/** Tells the plane and the harness which task it is, and where. */
export async function sayWhere({ card, output, beacon }: TaskWork): Promise<void> {
  output.say(`task ${card.task} (${card.workload}) in ${process.cwd()}`);
  await beacon('activity', `task ${card.task}`);
}

export interface Delivery {
  /** What was done, in one sentence without its full stop. */
  readonly sentence: string;
  /** This call wrote the report; false when an earlier run had. */
  readonly reported: boolean;
}

/** Makes sure that the result and the comment that reports it are there. */
export async function deliver(work: TaskWork): Promise<Delivery> {
  const result = results[work.card.workload];
  const sentence = await result(work);
  const reported = await work.effects.comment('report', `${sentence}.`);
  // What the board said meanwhile belongs into the brief before the task is called done.
  if (result === workOnBrief) await result(work);
  return { sentence, reported };
}

/** Sets the issue done; `commented`: this run has left a comment. */
export async function finish({ effects, runId }: TaskWork, commented: boolean): Promise<void> {
  // The plane wants a comment of every run that ends well, or it starts another one to get it.
  if (!commented) await effects.comment(`note-${runId.slice(0, 8)}`, 'Checked again: the result is in place.');
  await effects.status('done');
}

function enterWorktree(worktree: string | null): void {
  if (worktree === null) return;
  if (!existsSync(worktree)) throw new AgentStop(agentExit.cannotWork, `the worktree ${worktree} is not there`);
  process.chdir(worktree);
}
