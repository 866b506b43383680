/** What a task can ask for, and how it is seen whether it was done. One file per workload; catalogue.ts lists them. */
import type { TaskFacts } from '../model/facts.ts';
import type { Finding } from '../model/finding.ts';
import type { Numbers } from '../model/numbers.ts';
import type { Pace, TaskPlan, WorkloadId } from '../model/plan.ts';

/**
 * What the board does to a running task beside watching it. `steer`: one comment while a run is active. `stop`: Stop of a
 * running run, and later one comment that asks to go on.
 */
export type FollowUp = 'steer' | 'stop';

/** A command that looks at the result. Runs in the sandbox on a copy of the task's worktree. */
export interface OracleCommand {
  /** Its key in `OracleEvidence.commands`. */
  readonly name: string;
  readonly argv: readonly string[];
}

/** Broken promises, none of them when the result is right; or why the result could not be checked. */
export type OracleResult = { readonly findings: readonly Finding[] } | { readonly unknown: string };

export interface Workload {
  readonly id: WorkloadId;
  /** One or two words for people: `brief`. */
  readonly title: string;
  /** What the agent is asked for, in one sentence. */
  readonly asks: string;
  /** Whether a wave that names no workloads uses it. */
  readonly isDefault: boolean;
  /** How long the agent works before it writes its result, without what the plane needs to start it. */
  workMs(pace: Pace, numbers: Numbers): number;
  /** Unique on the plane: it refuses a second issue with a title it has seen lately. */
  issueTitle(task: TaskPlan, wave: string): string;
  /** The issue's description: plain language, and the card line at its end. */
  brief(task: TaskPlan): string;
  readonly followUps: readonly FollowUp[];
  /** Text of the comment that belongs to its follow-up; null for a workload without one. */
  commentText(task: TaskPlan): string | null;
  oracleCommands(task: TaskPlan): readonly OracleCommand[];
  /** Files the oracle reads, relative to the worktree. Those the repository has are hashed there too. */
  oracleFiles(task: TaskPlan): readonly string[];
  oracle(facts: TaskFacts): OracleResult;
}
