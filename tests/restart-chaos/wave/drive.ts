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
  const firing = faults.run(AbortSignal.any([stop.signal, finished.signal])).catch((error: unknown) => {
    stage.emit({ kind: 'harness_error', code: 'internal', message: `fault queue: ${errorText(error)}` });
  });
  const waiting = [...stage.plan.tasks];
  const rechecks: Promise<void>[] = [];
  await Promise.all(Array.from({ length: stage.plan.concurrency }, worker));
  finished.abort();
  await firing;
  await Promise.all(rechecks);
  await reportOrphans(stage);

  async function worker(): Promise<void> {
    for (let plan = waiting.shift(); plan !== undefined && !stop.signal.aborted; plan = waiting.shift()) {
      try {
        const task = await runTask(stage, stop, faults, plan);
        if (task !== null) rechecks.push(recheck(stage, stop, task));
      } catch (error) {
        stage.emit({ kind: 'harness_error', code: 'internal', message: `task ${plan.id}: ${errorText(error)}` });
      }
    }
  }
}

/** R1's second half: two sweeps of the plane after its rest, the task is still in the state it rested in. Never rejects. */
async function recheck(stage: Stage, stop: Stop, task: OpenTask): Promise<void> {
  await sleep(stage.numbers.recheckAfterMs, stop.signal).catch(() => undefined);
  if (stop.signal.aborted) return;
  const { status, error } = await stage.gate.reading(() => stage.dialect.readStatus(stage.client, task.issueId));
  stage.emit({ kind: 'recheck', task: task.plan.id, status, error });
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
