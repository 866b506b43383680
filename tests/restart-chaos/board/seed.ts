/**
 * Lays the company of a wave on a fresh plane: company with its hard budget cap, one encrypted secret, the project
 * with one git worktree per issue, one agent per task. Issues are created later, one by one (create-task-issue.ts).
 *
 * One agent per task, so that whatever an agent leaves behind has one owner. Values of secrets go into one request and
 * nowhere else; everything else refers to them by id.
 * Trap: isolated workspaces must be switched on for the whole instance first, else the project's policy is ignored.
 */
import { z } from 'zod';
import type { TaskId } from '../model/ids.ts';
import { invariant } from '../model/invariant.ts';
import type { TaskPlan, WavePlan } from '../model/plan.ts';
import type { BoardClient } from './client.ts';
import { seedCall } from './seed-call.ts';

/** What the plane must know to start an agent; agents/catalog.ts builds it. */
export interface AgentSeed {
  readonly adapterType: string;
  readonly adapterConfig: Readonly<Record<string, unknown>>;
  readonly runtimeConfig: Readonly<Record<string, unknown>>;
}

/** A credential of an agent's provider. `key` is the name of the environment variable the agent gets it in. */
export interface ProviderSecret {
  readonly name: string;
  readonly key: string;
  readonly value: string;
}

export interface SeedOptions {
  readonly plan: WavePlan;
  /** The git repository of the sandbox project. */
  readonly repository: string;
  /** Directory below which the plane makes the worktrees. */
  readonly worktreeParent: string;
  /** For every task of the plan. */
  readonly agentConfigs: Readonly<Record<TaskId, AgentSeed>>;
  readonly budgetCents: number;
  readonly providerSecrets: readonly ProviderSecret[];
}

export interface SeededWave {
  readonly companyId: string;
  readonly projectId: string;
  /** Agent of each task. */
  readonly agents: Readonly<Record<TaskId, string>>;
  /** Secret ids by the key they were asked for with. */
  readonly providerSecretIds: Readonly<Record<string, string>>;
}

const companyName = 'Chaos Lab';
const projectName = 'chaos-sandbox';

/** Seeds a plane. Throws HarnessError `seed-failed` at the first call that did not do what it was for. */
export async function seedWave(client: BoardClient, options: SeedOptions): Promise<SeededWave> {
  await switchOnIsolatedWorkspaces(client);
  const company = await createCompany(client, options.budgetCents);
  const providerSecretIds = await createSecrets(client, company.id, options.providerSecrets);
  const project = await createProject(client, company.id, options);
  const agents: Record<TaskId, string> = {};
  for (const task of options.plan.tasks) {
    const config = options.agentConfigs[task.id];
    invariant(config !== undefined, `there is an agent config for task ${task.id}`);
    const seed = withSecretReferences(config, providerSecretIds);
    agents[task.id] = await createAgent(client, {
      companyId: company.id,
      task,
      seed,
      budgetCents: options.budgetCents,
    });
  }
  return { companyId: company.id, projectId: project.id, agents, providerSecretIds };
}

const created = z.object({ id: z.string() });
const companyShape = z.object({
  id: z.string(),
  requireBoardApprovalForNewAgents: z.literal(false),
  budgetMonthlyCents: z.number(),
});

async function switchOnIsolatedWorkspaces(client: BoardClient): Promise<void> {
  await seedCall(client, {
    method: 'PATCH',
    path: '/api/instance/settings/experimental',
    body: { enableIsolatedWorkspaces: true },
    shape: z.object({ enableIsolatedWorkspaces: z.literal(true) }),
    purpose: 'switch on isolated workspaces',
  });
}

async function createCompany(client: BoardClient, budgetCents: number): Promise<z.infer<typeof companyShape>> {
  const company = await seedCall(client, {
    method: 'POST',
    path: '/api/companies',
    body: { name: companyName, budgetMonthlyCents: budgetCents },
    shape: created,
    purpose: 'create the company',
  });
  // Off is the default of this version; a plane that asks the board about every hire would hold every task.
  return seedCall(client, {
    method: 'PATCH',
    path: `/api/companies/${company.id}`,
    body: { requireBoardApprovalForNewAgents: false },
    shape: companyShape.extend({ budgetMonthlyCents: z.literal(budgetCents) }),
    purpose: 'switch off hire approvals and keep the budget cap',
  });
}

async function createSecrets(
  client: BoardClient,
  companyId: string,
  secrets: readonly ProviderSecret[],
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const { name, key, value } of secrets) {
    const secret = await seedCall(client, {
      method: 'POST',
      path: `/api/companies/${companyId}/secrets`,
      body: { name, key, value, provider: 'local_encrypted' },
      // The plane lower-cases the key and never returns the value; an answer with a value is refused.
      shape: created.extend({ provider: z.literal('local_encrypted'), value: z.undefined().optional() }),
      purpose: `store the secret ${key} encrypted`,
    });
    ids[key] = secret.id;
  }
  return ids;
}

async function createProject(
  client: BoardClient,
  companyId: string,
  { repository, worktreeParent }: SeedOptions,
): Promise<{ readonly id: string }> {
  return seedCall(client, {
    method: 'POST',
    path: `/api/companies/${companyId}/projects`,
    body: {
      name: projectName,
      status: 'in_progress',
      workspace: { name: 'main', sourceType: 'local_path', cwd: repository, isPrimary: true },
      executionWorkspacePolicy: {
        enabled: true,
        defaultMode: 'isolated_workspace',
        allowIssueOverride: true,
        workspaceStrategy: { type: 'git_worktree', worktreeParentDir: worktreeParent },
      },
    },
    shape: created.extend({
      primaryWorkspace: z.object({ cwd: z.literal(repository) }),
      executionWorkspacePolicy: z.object({ enabled: z.literal(true), defaultMode: z.literal('isolated_workspace') }),
    }),
    purpose: 'create the project with a worktree per issue',
  });
}

interface AgentCreation {
  readonly companyId: string;
  readonly task: TaskPlan;
  readonly seed: AgentSeed;
  readonly budgetCents: number;
}

async function createAgent(
  client: BoardClient,
  { companyId, task, seed, budgetCents }: AgentCreation,
): Promise<string> {
  const agent = await seedCall(client, {
    method: 'POST',
    path: `/api/companies/${companyId}/agents`,
    body: {
      name: `${task.id} ${task.adapter} ${task.temperament}`,
      role: 'engineer',
      ...seed,
      budgetMonthlyCents: budgetCents,
    },
    shape: created.extend({ adapterType: z.literal(seed.adapterType), status: z.literal('idle') }),
    purpose: `create the agent of task ${task.id}`,
  });
  return agent.id;
}

/** Adds every provider secret to the agent's environment, by reference. */
function withSecretReferences(seed: AgentSeed, secretIds: Readonly<Record<string, string>>): AgentSeed {
  if (Object.keys(secretIds).length === 0) return seed;
  const references = Object.fromEntries(
    Object.entries(secretIds).map(([key, secretId]) => [key, { type: 'secret_ref', secretId, version: 'latest' }]),
  );
  const env = { ...(seed.adapterConfig['env'] as Record<string, unknown> | undefined), ...references };
  return { ...seed, adapterConfig: { ...seed.adapterConfig, env } };
}
