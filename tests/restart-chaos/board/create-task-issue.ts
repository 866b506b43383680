/**
 * Creates the issue of one task, assigned to the task's agent, which wakes it.
 *
 * It does not wait for anything to start. May be called again after an unanswered call: the idempotency key makes the
 * plane answer with the same issue. Trap: an equal title within a short time also answers 200 with the older issue,
 * so the answer's title and project are checked.
 */
import { z } from 'zod';
import { formatCard, readCard } from '../model/card.ts';
import type { WaveId } from '../model/ids.ts';
import type { TaskPlan } from '../model/plan.ts';
import type { BoardClient } from './client.ts';
import { seedCall } from './seed-call.ts';
import type { SeededWave } from './seed.ts';

export interface TaskIssueOptions {
  readonly wave: WaveId;
  readonly task: TaskPlan;
  readonly seeded: SeededWave;
  /** Unique in the wave. */
  readonly title: string;
  /** The brief for the agent; the task card line is put below it when it has none. */
  readonly brief: string;
}

export interface CreatedIssue {
  readonly issueId: string;
  readonly identifier: string;
  readonly agentId: string;
}

/** Throws HarnessError `seed-failed` when the plane did not create this issue or did not answer. */
export async function createTaskIssue(client: BoardClient, options: TaskIssueOptions): Promise<CreatedIssue> {
  const { wave, task, seeded, title, brief } = options;
  const agentId = seeded.agents[task.id] ?? '';
  const issue = await seedCall(client, {
    method: 'POST',
    path: `/api/companies/${seeded.companyId}/issues`,
    body: {
      title,
      description: readCard(brief) === null ? `${brief}\n\n${formatCard(task)}\n` : brief,
      projectId: seeded.projectId,
      assigneeAgentId: agentId,
      idempotencyKey: `${wave}/${task.id}`,
    },
    shape: z.object({
      id: z.string(),
      identifier: z.string(),
      title: z.literal(title),
      projectId: z.literal(seeded.projectId),
      assigneeAgentId: z.literal(agentId),
    }),
    purpose: `create the issue of task ${task.id}`,
  });
  return { issueId: issue.id, identifier: issue.identifier, agentId };
}
