/**
 * The steps of a fault of a provider, and their proof: what the scripted model served to the task, which is ours to know.
 * What the agent and the plane make of it is no proof, and nothing here asks for it.
 */
import type { ModelServer } from '../agents/model/model-server.ts';
import type { FaultStep, StepProof } from '../model/fault.ts';
import type { TaskId } from '../model/ids.ts';
import type { TestHook } from '../model/options.ts';
import { waitUntil } from '../process/wait.ts';

export interface ProviderContext {
  readonly models: Pick<ModelServer, 'disturb' | 'disturbanceOf'>;
  readonly testHooks: readonly TestHook[];
}

// An agent asks at most a few times a second.
const lookIntervalMs = 20;

/** From now on the model serves the task wrongly. Nothing has struck yet. */
export async function disturbProvider(
  { models, testHooks }: ProviderContext,
  task: TaskId,
  { fault, skip, requests }: Extract<FaultStep, { step: 'disturb_provider' }>,
): Promise<StepProof> {
  if (testHooks.includes('fault-does-not-land')) {
    models.disturb(task, { fault, skip, requests: 0 });
    return { observed: true, seen: `${fault} withheld by the test hook fault-does-not-land` };
  }
  models.disturb(task, { fault, skip, requests });
  const well = skip === 0 ? '' : ` after ${skip} served well`;
  return { observed: true, seen: `${fault} for the next ${requests} of ${task}${well}` };
}

/** Waits for the first request that is served wrongly. */
export async function awaitServed(
  context: ProviderContext,
  task: TaskId,
  withinMs: number,
  stop: AbortSignal,
): Promise<StepProof> {
  await untilServed(context, task, { count: 1, withinMs, stop });
  return servedProof(context, task);
}

/** Waits until all that were to be are served wrongly, or the time is over; an agent that gave up asks no more. */
export async function awaitSpent(
  context: ProviderContext,
  task: TaskId,
  { requests, withinMs, stop }: { readonly requests: number; readonly withinMs: number; readonly stop: AbortSignal },
): Promise<StepProof> {
  await untilServed(context, task, { count: requests, withinMs, stop });
  return servedProof(context, task);
}

/** Serves the task well again. */
export async function mendProvider({ models }: ProviderContext, task: TaskId): Promise<StepProof> {
  const disturbance = models.disturbanceOf(task);
  if (disturbance === null) return { observed: false, seen: 'there was no disturbance to end' };
  const cut = disturbance.end();
  const cutText = cut === 0 ? '' : `, ${cut} unanswered cut off`;
  return { observed: true, seen: `${disturbance.fault} is over${cutText}` };
}

interface ServedWait {
  readonly count: number;
  readonly withinMs: number;
  readonly stop: AbortSignal;
}

async function untilServed({ models }: ProviderContext, task: TaskId, wait: ServedWait): Promise<void> {
  const { count, withinMs, stop } = wait;
  const probe = async (): Promise<true | null> =>
    (models.disturbanceOf(task)?.served().length ?? 0) >= count ? true : null;
  const what = `the model to serve ${task} wrongly`;
  // What was served is read when the wait is over, however it ended.
  await waitUntil({ what, probe, timeoutMs: withinMs, intervalMs: lookIntervalMs, signal: stop }).catch(
    () => undefined,
  );
}

function servedProof({ models }: ProviderContext, task: TaskId): StepProof {
  const disturbance = models.disturbanceOf(task);
  const served = disturbance?.served() ?? [];
  if (disturbance === null || served.length === 0)
    return { observed: false, seen: `${task} was served nothing wrongly` };
  const which =
    served.length === 1 ? `request ${served[0]}` : `${served.length} requests, ${served[0]} to ${served.at(-1)},`;
  return { observed: true, seen: `${disturbance.fault} served to ${which} of ${task}` };
}
