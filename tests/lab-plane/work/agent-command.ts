/** What is started for a run, and what the process is told: the address, a token for this run, the task. */
import { oneRow, type Database } from '../database/database.ts';
import type { Plane } from '../plane.ts';
import { decrypt, signRunToken } from '../secrets.ts';
import type { Command } from './launch.ts';
import type { IssueRow, RunRow } from './rows.ts';

export interface AgentRow {
  readonly id: string;
  readonly company_id: string;
  readonly adapter_type: string;
  readonly adapter_config: AdapterConfig;
  readonly runtime_config: { readonly heartbeat?: { readonly maxConcurrentRuns?: number } };
}

interface AdapterConfig {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly graceSec?: number;
  readonly env?: Readonly<Record<string, EnvironmentValue>>;
}

type EnvironmentValue =
  { readonly type: 'plain'; readonly value: string } | { readonly type: 'secret_ref'; readonly secretId: string };

// How the plane starts the Claude command line, as far as an agent can see it.
const claudeArguments = ['--print', '--output-format', 'stream-json', '--verbose'];
/** Of the plane's own environment an agent gets these and nothing else: not the database, not the key of the tokens. */
const inherited = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'RESTART_CHAOS_WAVE'];

/** How long a process of this agent may take to end, in milliseconds. */
export function graceMs(agent: Pick<AgentRow, 'adapter_config'>): number {
  return (agent.adapter_config.graceSec ?? 15) * 1_000;
}

/** The command of a run that works in `worktree`. Throws an Error when a secret it refers to is not there. */
export async function agentCommand(
  plane: Plane,
  { agent, run, issue }: { readonly agent: AgentRow; readonly run: RunRow; readonly issue: IssueRow },
  worktree: string | null,
): Promise<Command> {
  const config = agent.adapter_config;
  const isClaude = agent.adapter_type === 'claude_local';
  const own = await configured(plane.database, plane.settings.secret, config.env ?? {});
  const base = Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  return {
    program: config.command,
    args: [...(config.args ?? []), ...(isClaude ? claudeArguments : [])],
    cwd: config.cwd ?? worktree ?? plane.settings.home,
    env: { ...base, ...own, ...told(plane, run), ...(isClaude ? toldToClaude(issue, run, worktree) : {}) },
  };
}

function told(plane: Plane, run: RunRow): Record<string, string> {
  const { host, port, secret } = plane.settings;
  return {
    PAPERCLIP_API_URL: `http://${host}:${port}`,
    PAPERCLIP_API_KEY: signRunToken(secret, { runId: run.id, agentId: run.agent_id }),
    PAPERCLIP_RUN_ID: run.id,
    PAPERCLIP_AGENT_ID: run.agent_id,
    PAPERCLIP_COMPANY_ID: run.company_id,
  };
}

/** The process adapter is not told these: its agents ask for their run. */
function toldToClaude(issue: IssueRow, run: RunRow, worktree: string | null): Record<string, string> {
  const { wakeReason, wakeCommentId } = run.context_snapshot;
  return {
    PAPERCLIP_TASK_ID: issue.id,
    PAPERCLIP_WAKE_REASON: wakeReason,
    ...(wakeCommentId === null ? {} : { PAPERCLIP_WAKE_COMMENT_ID: wakeCommentId }),
    ...(worktree === null ? {} : { PAPERCLIP_WORKSPACE_CWD: worktree }),
  };
}

async function configured(
  database: Database,
  key: string,
  values: Readonly<Record<string, EnvironmentValue>>,
): Promise<Record<string, string>> {
  const entries = Object.entries(values).map(async ([name, value]): Promise<[string, string]> => {
    if (value.type === 'plain') return [name, value.value];
    const secret = await oneRow<{ material: string }>(database, 'select material from company_secrets where id = $1', [
      value.secretId,
    ]);
    return [name, decrypt(key, secret.material)];
  });
  return Object.fromEntries(await Promise.all(entries));
}
