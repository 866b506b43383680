/** How each agent kind is described to the plane when it is hired. Pure data; starts nothing. */
import type { TaskId } from '../model/ids.ts';
import { invariant } from '../model/invariant.ts';
import { isModelAdapter, type AdapterId, type Temperament } from '../model/plan.ts';
import { agentProgram } from './claude-wrapper.ts';
import { laneOf } from './model/lanes.ts';
import { stepVariable } from './model/task-steps.ts';

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
  /** What writeStepCommand returned. */
  readonly stepPath: string;
  /** This task's address of the scripted model. */
  readonly modelUrl: string;
  /** The real command line of this adapter; null for an adapter that runs our own program. */
  readonly cliPath: string | null;
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
  const { adapterType, adapterConfig, env } = kindOf(options);
  const values = {
    ...options.extraEnv,
    CHAOS_TASK: options.task,
    CHAOS_TEMPERAMENT: options.temperament,
    CHAOS_BEACON_URL: options.beaconUrl,
    CHAOS_BENCH_URL: options.benchUrl,
    ...env,
  };
  const plainEnv = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { type: 'plain', value }]));
  const runtimeConfig = {
    heartbeat: { enabled: false, intervalSec: 3_600, wakeOnDemand: true, maxConcurrentRuns },
  };
  return { adapterType, adapterConfig: { ...adapterConfig, graceSec, env: plainEnv }, runtimeConfig };
}

type AgentKind = Pick<AgentConfig, 'adapterType' | 'adapterConfig'> & {
  readonly env: Readonly<Record<string, string>>;
};

/** Trap: only the process adapter gets a cwd; elsewhere it would take the place of the worktree the plane prepares. */
function kindOf(options: AgentOptions): AgentKind {
  const { adapter, nodePath, fallbackCwd, wrapperPath, cliPath, modelUrl, stepPath } = options;
  if (isModelAdapter(adapter)) {
    invariant(cliPath !== null, `the command line of adapter ${adapter} was installed before its agents are hired`);
    const lane = laneOf(adapter, { cliPath, modelUrl });
    return { ...lane, env: { ...lane.env, [stepVariable]: stepPath } };
  }
  if (adapter === 'process') {
    const adapterConfig = { command: nodePath, args: [agentProgram], cwd: fallbackCwd };
    return { adapterType: 'process', adapterConfig, env: {} };
  }
  return { adapterType: 'claude_local', adapterConfig: { engine: 'cli', command: wrapperPath }, env: {} };
}
