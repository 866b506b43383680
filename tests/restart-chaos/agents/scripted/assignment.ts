/** What this run is for: the issue, its card and the place to work in. */
import { readCard, type TaskCard } from '../../model/card.ts';
import { AgentStop, agentExit } from './agent-stop.ts';
import { expectSuccess, type PlaneClient } from './plane-client.ts';
import type { AgentSettings } from './settings.ts';

export interface Assignment {
  readonly issueId: string;
  readonly card: TaskCard;
  /** Status of the issue when this run looked. */
  readonly status: string;
  /** The worktree the plane made for the issue; null when it made none. */
  readonly worktree: string | null;
}

interface IssueAnswer {
  readonly description?: string | null;
  readonly status?: string;
  readonly currentExecutionWorkspace?: { readonly cwd?: string | null } | null;
}

interface RunAnswer {
  readonly contextSnapshot?: { readonly issueId?: string; readonly taskId?: string } | null;
}

/** Asks the plane. Throws AgentStop when there is no issue or it has no readable card. */
export async function readAssignment(client: PlaneClient, settings: AgentSettings): Promise<Assignment> {
  const issueId = settings.issueId ?? (await issueOfRun(client, settings.runId));
  const issue = await client.attempt('read the issue', async (call) => {
    const answer = await call('GET', `/issues/${issueId}`);
    return expectSuccess(answer, 'show the issue').json as IssueAnswer;
  });
  const card = readCard(issue.description ?? '');
  if (card === null) {
    throw new AgentStop(agentExit.cannotWork, `the description of issue ${issueId} has no readable card line`);
  }
  return { issueId, card, status: issue.status ?? '', worktree: issue.currentExecutionWorkspace?.cwd ?? null };
}

async function issueOfRun(client: PlaneClient, runId: string): Promise<string> {
  const run = await client.attempt('read the run', async (call) => {
    const answer = await call('GET', `/heartbeat-runs/${runId}`);
    return expectSuccess(answer, 'show the run').json as RunAnswer;
  });
  const issueId = run.contextSnapshot?.issueId ?? run.contextSnapshot?.taskId;
  if (issueId !== undefined) return issueId;
  throw new AgentStop(agentExit.cannotWork, `run ${runId} names no issue in its context`);
}
