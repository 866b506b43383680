/** How each agent kind is described to the plane when it is hired. Pure data; starts nothing. */
import type { TaskId } from '../model/ids.ts';
import type { AdapterId, Temperament } from '../model/plan.ts';
import { agentProgram } from './claude-wrapper.ts';

export interface AgentOptions {
  readonly adapter: AdapterId;
  readonly task: TaskId;
  readonly temperament: Temperament;
  /** The Node that runs the agent program under the process adapter. */
  readonly nodePath: string;
  /** What writeClaudeWrapper returned. */
  readonly wrapperPath: string;
  readonly beaconUrl: string;
  readonly benchUrl: string;
  /** Where a process agent starts, before it finds its task's worktree. Must exist. */
  readonly fallbackCwd: string;
  /** More of the agent's environment: the mark of the wave, test hooks. */
  readonly extraEnv: Readonly<Record<string, string>>;
}

/** The parts of `POST /api/companies/:id/agents` that depend on the agent kind. */
export interface AgentConfig {
  readonly adapterType: string;
  readonly adapterConfig: Readonly<Record<string, unknown>>;
  readonly runtimeConfig: Readonly<Record<string, unknown>>;
}

// The agent ends within half a second of SIGTERM; the plane grants grace to one agent after another.
const graceSec = 2;

// One agent serves one task. More than one slot, so that a plane that runs a task twice is free to show it.
const maxConcurrentRuns = 4;

/** The configuration of one task's agent. */
export function agentConfig(options: AgentOptions): AgentConfig {
  const values = {
    ...options.extraEnv,
    CHAOS_TASK: options.task,
    CHAOS_TEMPERAMENT: options.temperament,
    CHAOS_BEACON_URL: options.beaconUrl,
    CHAOS_BENCH_URL: options.benchUrl,
  };
  const env = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { type: 'plain', value }]));
  const runtimeConfig = {
    heartbeat: { enabled: false, intervalSec: 3_600, wakeOnDemand: true, maxConcurrentRuns },
  };
  if (options.adapter === 'process') {
    const { nodePath, fallbackCwd } = options;
    const adapterConfig = { command: nodePath, args: [agentProgram], cwd: fallbackCwd, graceSec, env };
    return { adapterType: 'process', adapterConfig, runtimeConfig };
  }
  // No cwd here: it would take the place of the worktree the plane prepares for each task.
  const adapterConfig = { engine: 'cli', command: options.wrapperPath, graceSec, env };
  return { adapterType: 'claude_local', adapterConfig, runtimeConfig };
}
