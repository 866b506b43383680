/** What a plan must keep to when its agents run in sandboxes of an organisation that has other things to do, too. */
import type { EnvironmentId, WavePlan, WorkloadId } from '../model/plan.ts';
import { parseTarget } from '../model/target.ts';

/** Everything for which this plan is not started; empty for a plan whose agents run on this machine. */
export function remoteProblems(plan: WavePlan, vcpuBudget: number): readonly string[] {
  const { environment, sandbox, concurrency, target, tasks } = plan;
  if (sandbox === undefined) return [];
  const problems = [
    ...workloadProblems(
      environment,
      tasks.map(({ workload }) => workload),
    ),
  ];
  if (parseTarget(target).kind === 'lab') {
    problems.push(`--env daytona needs a Paperclip plane: the lab has no sandboxes; got --target ${target}`);
  }
  // What could run at a time, not what there is to do: a task may have a second run while the sandbox of its first one goes.
  const asked = concurrency * sandbox.cpu;
  if (asked > vcpuBudget) {
    problems.push(
      `${concurrency} tasks at a time with ${sandbox.cpu} virtual processors each take ${asked}, and a wave may take ${vcpuBudget}: ` +
        'lower --concurrency or --daytona-cpu, or raise RESTART_CHAOS_DAYTONA_VCPU_BUDGET',
    );
  }
  return problems;
}

/** Workloads whose oracle looks at this machine. */
export function workloadProblems(environment: EnvironmentId, workloads: readonly WorkloadId[]): readonly string[] {
  if (environment === 'local' || !workloads.includes('B5')) return [];
  return ['--workloads B5 runs with --env local only: its oracle reads the live worktree'];
}
