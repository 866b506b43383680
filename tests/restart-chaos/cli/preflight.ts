/** What a wave needs of this machine, checked before anything starts: everything missing is said at once. */
import { errorText, UsageError } from '../model/errors.ts';
import type { RunOptions } from '../model/options.ts';
import type { WavePlan } from '../model/plan.ts';
import { parseTarget } from '../model/target.ts';
import { installTarget } from '../plane/install.ts';
import { runBounded } from '../process/bounded-command.ts';
import { isolatedEnvironment } from '../process/environment.ts';
import { findPython } from '../sandbox/python.ts';
import { findSandbox } from '../sandbox/find-sandbox.ts';
import { installAgentClis } from '../wave/agent-clis.ts';
import { workloads } from '../workloads/catalogue.ts';

/** Throws UsageError naming everything that is missing for this plan. */
export async function checkMachine(plan: WavePlan, options: RunOptions): Promise<void> {
  const problems: string[] = [];
  const used = new Set(plan.tasks.map((task) => task.workload));
  const git = await gitProblem();
  if (git !== null) problems.push(git);
  if (used.has('B1') || used.has('B5')) {
    const python = await findPython();
    if (python.kind === 'none') problems.push(`workloads B1 and B5 need Python: ${python.reason}`);
  }
  const runsOracleCommands = plan.tasks.some((task) => workloads[task.workload].oracleCommands(task).length > 0);
  if (runsOracleCommands && !options.allowUnsandboxedOracles) {
    const sandbox = await findSandbox();
    if (sandbox.kind === 'none') {
      problems.push(
        `the oracle of B1 runs code that an agent may have edited, and no sandbox works here: ${sandbox.reason}. ` +
          'Leave B1 out (--workloads A1,C1), or accept the risk with --allow-unsandboxed-oracles',
      );
    }
  }
  if (problems.length > 0) throw new UsageError(problems);
}

/** Installs the target and the plan's agent command lines when they are not in the cache yet, so that a failed install leaves no wave behind. */
export async function fetchTarget(
  plan: WavePlan,
  options: RunOptions,
  progress: (line: string) => void,
): Promise<void> {
  const install = { cacheDirectory: options.cacheDirectory, progress };
  await installAgentClis(plan, await installTarget(parseTarget(plan.target), install), install);
}

/** Null when git answers. */
export async function gitProblem(): Promise<string | null> {
  try {
    const { exitCode, output } = await runBounded({
      argv: ['git', '--version'],
      cwd: '/',
      env: isolatedEnvironment({}),
      timeoutMs: 10_000,
      outputLimitBytes: 4_096,
    });
    return exitCode === 0 ? null : `git does not work: ${output.trim()}`;
  } catch (error) {
    return `git is needed for the tasks' worktrees and was not found (apt install git): ${errorText(error)}`;
  }
}
