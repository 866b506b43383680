/** The real agent command lines that a plan's adapters start, installed when they are not in the cache. */
import { writeCliCommand } from '../agents/model/lanes.ts';
import { cliOfAdapter, isModelAdapter, type AgentCli, type WavePlan } from '../model/plan.ts';
import type { InstalledTarget, InstallOptions } from '../plane/install.ts';
import { installAgentCli } from '../plane/install/agent-cli.ts';

/** Path of each program; without those that no task needs. */
export type CliPaths = Readonly<Partial<Record<AgentCli, string>>>;

/** Throws UsageError when one cannot be had. */
export async function installAgentClis(
  plan: WavePlan,
  target: InstalledTarget,
  options: InstallOptions,
): Promise<CliPaths> {
  const adapters = plan.tasks.map(({ adapter }) => adapter).filter(isModelAdapter);
  const needed = new Set(adapters.map((adapter) => cliOfAdapter[adapter]));
  const paths: Partial<Record<AgentCli, string>> = {};
  for (const cli of needed) paths[cli] = await installAgentCli(cli, target, options);
  return paths;
}

/** How each of them is called in this wave; what that needs is written into the directory. */
export async function writeCliCommands(paths: CliPaths, directory: string): Promise<CliPaths> {
  const commands: Partial<Record<AgentCli, string>> = {};
  for (const [cli, path] of Object.entries(paths) as [AgentCli, string][]) {
    commands[cli] = await writeCliCommand(cli, path, directory);
  }
  return commands;
}
