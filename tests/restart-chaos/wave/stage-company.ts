/** Lays the company of a wave on a fresh plane: who works, on what, and with which addresses to talk to the harness. */
import { join } from 'node:path';
import { agentConfig } from '../agents/catalog.ts';
import { writeClaudeWrapper } from '../agents/claude-wrapper.ts';
import { writeStepCommand } from '../agents/model/step-command.ts';
import type { BoardClient } from '../board/client.ts';
import { readBackCompany } from '../board/read-back-company.ts';
import { seedWave, type AgentSeed, type SeededWave } from '../board/seed.ts';
import { cliOfAdapter, isModelAdapter } from '../model/plan.ts';
import { writeCliCommands, type CliPaths } from './agent-clis.ts';
import type { RunDirectory } from './run-directory.ts';
import type { AgentServers, Stage, WaveContext } from './stage.ts';

export interface SeedCompanyOptions {
  readonly context: WaveContext;
  readonly client: BoardClient;
  readonly run: RunDirectory;
  readonly servers: AgentServers;
  /** Path of each real command line that the plan's adapters start. */
  readonly cliPaths: CliPaths;
  /** A made-up provider credential, so that the encrypted path of the plane is used. */
  readonly providerSecret: string;
}

/** One agent per task, so that what is left of an agent has one owner. */
export async function seedCompany(options: SeedCompanyOptions): Promise<SeededWave> {
  const { context, client, run, servers, cliPaths } = options;
  const wrapperPath = await writeClaudeWrapper(run.bin, process.execPath);
  const stepPath = await writeStepCommand(run.bin, process.execPath);
  const commands = await writeCliCommands(cliPaths, run.bin);
  const agentConfigs: Record<string, AgentSeed> = {};
  for (const task of context.plan.tasks) {
    const [beaconUrl, benchUrl] = [servers.beacons.url(task.id), servers.benches.url(task.id)];
    const modelUrl = servers.models.url(task.id);
    // Whoever has such an address can speak for the task; its last part is what makes it secret.
    for (const url of [beaconUrl, benchUrl, modelUrl]) context.store.redactor.add(url.slice(url.lastIndexOf('/') + 1));
    agentConfigs[task.id] = agentConfig({
      adapter: task.adapter,
      task: task.id,
      temperament: task.temperament,
      nodePath: process.execPath,
      wrapperPath,
      beaconUrl,
      benchUrl,
      fallbackCwd: run.lobby,
      stepPath,
      modelUrl,
      cliPath: isModelAdapter(task.adapter) ? (commands[cliOfAdapter[task.adapter]] ?? null) : null,
      extraEnv: {
        RESTART_CHAOS_WAVE: context.wave,
        // Halves what starting an agent costs the machine that the plane shares with it.
        NODE_COMPILE_CACHE: join(context.options.cacheDirectory, 'compile'),
        ...printedSecret(),
      },
    });
  }
  return seedWave(client, {
    plan: context.plan,
    repository: run.repository,
    worktreeParent: run.worktrees,
    agentConfigs,
    budgetCents: context.plan.budgetCents,
    providerSecrets: [{ name: 'provider key', key: 'CHAOS_PROVIDER_KEY', value: options.providerSecret }],
  });
}

/**
 * Test hook: what stands in the harness's own CHAOS_PRINT_SECRET is printed by every agent, so that a test can see it
 * redacted. A variable and no flag, because a command line is recorded, and secrets are known by the variables they are in.
 */
function printedSecret(): Readonly<Record<string, string>> {
  const value = process.env['CHAOS_PRINT_SECRET'];
  return value === undefined ? {} : { CHAOS_PRINT_SECRET: value };
}

/** After a fault: the company, its agents and every issue can still be read. Recorded, never judged here. */
export async function readBack(stage: Stage): Promise<void> {
  const { ok, unreachable, detail } = await readBackCompany(stage.client, {
    seeded: stage.company,
    budgetCents: stage.plan.budgetCents,
    issueIds: stage.tasks.all().map((task) => task.issueId),
  });
  stage.emit({ kind: 'company_read_back', ok, unreachable, detail });
}
