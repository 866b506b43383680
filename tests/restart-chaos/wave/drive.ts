/**
 * The middle of a wave: keeps as many tasks open as the plan allows, lets the faults fire, and looks at every task
 * once more when all are at rest. Ends when there is nothing left to do or when the wave is asked to stop.
 */
import { errorText } from '../model/errors.ts';
import { readCompanyLeftovers } from '../plane/paperclip/truth.ts';
import { sleep } from '../process/wait.ts';
import { FaultQueue } from './fault-queue.ts';
import type { OpenTask } from './open-task.ts';
import { runTask } from './run-task.ts';
import type { Stage } from './stage.ts';
import type { Stop } from './stop.ts';

/** Runs every task of the plan. Failures of single tasks' plumbing become harness errors, not exceptions. */
export async function drive(stage: Stage, stop: Stop): Promise<void> {
  const finished = new AbortController();
  const faults = new FaultQueue(stage);
  const firing = faults.run(AbortSignal.any([stop.signal, finished.signal]));
  const waiting = [...stage.plan.tasks];
  await Promise.all(Array.from({ length: stage.plan.concurrency }, worker));
  finished.abort();
  await firing;
  await recheck(stage, stop);
  await reportOrphans(stage);

  async function worker(): Promise<void> {
    for (let plan = waiting.shift(); plan !== undefined && !stop.signal.aborted; plan = waiting.shift()) {
      try {
        await runTask(stage, stop, faults, plan);
      } catch (error) {
        stage.emit({ kind: 'harness_error', code: 'internal', message: `task ${plan.id}: ${errorText(error)}` });
      }
    }
  }
}

/** R1's second half: two sweeps of the plane after its rest, each task is still in the state it rested in. */
async function recheck(stage: Stage, stop: Stop): Promise<void> {
  for (const task of stage.tasks.all()) {
    if (task.rest === null || task.restedAtMs === null) continue;
    const waitMs = task.restedAtMs + stage.numbers.recheckAfterMs - stage.clock.nowMs();
    if (waitMs > 0) await sleep(waitMs, stop.signal).catch(() => undefined);
    if (stop.signal.aborted) return;
    await recheckOne(stage, task);
  }
}

async function recheckOne(stage: Stage, task: OpenTask): Promise<void> {
  const answer = await stage.dialect.readStatus(stage.client, task.issueId);
  stage.emit({ kind: 'recheck', task: task.plan.id, status: answer.status, error: answer.error });
}

/** What is left of the company that no task owns fails the wave, not a task. */
async function reportOrphans(stage: Stage): Promise<void> {
  const tasks = stage.tasks.all();
  try {
    const left = await readCompanyLeftovers(stage.truth, {
      companyId: stage.company.companyId,
      ownedIssueIds: tasks.map((task) => task.issueId),
      ownedAgentIds: tasks.map((task) => task.agentId),
    });
    for (const { kind, id, note } of left) stage.emit({ kind: 'orphan_leftover', what: kind, id, note });
  } catch (error) {
    stage.emit({ kind: 'harness_error', code: 'evidence-unreadable', message: `company sweep: ${errorText(error)}` });
  }
}
