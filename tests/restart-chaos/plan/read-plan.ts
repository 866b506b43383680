/** Reads plan.json back. People edit plans by hand, so every problem is named with its place in the file. */
import { parameterProblems } from '../faults/catalogue.ts';
import { parseCommitPattern } from '../model/commit-pattern.ts';
import { errorText, UsageError } from '../model/errors.ts';
import type { PlannedFault } from '../model/fault.ts';
import { wavePlanSchema, type WavePlan, type WorkloadId } from '../model/plan.ts';
import { placeText } from '../model/place-text.ts';
import { parseTarget } from '../model/target.ts';
import { limitProblems } from './plan-limits.ts';
import { providerFaultProblems } from './provider-fault-problems.ts';
import { absenceProblem, kindProblem, stopProblems } from './trigger-problems.ts';

const newestSchema = 1;

/**
 * The plan in a text. Throws UsageError that lists every problem as `<name>: <place>: <problem>`, and refuses by name
 * a plan that a newer version of this program wrote. `name` is what messages call the file.
 */
export function readPlan(text: string, name = 'plan.json'): WavePlan {
  const value = parseJson(text, name);
  refuseNewer(value, name);
  const parsed = wavePlanSchema.safeParse(value);
  if (!parsed.success) {
    throw new UsageError(parsed.error.issues.map(({ path, message }) => `${name}: ${placeText(path)}: ${message}`));
  }
  const plan = parsed.data;
  const problems = [...limitProblems(plan), ...repeatedIds(plan), ...targetProblems(plan), ...faultProblems(plan)];
  if (problems.length > 0) throw new UsageError(problems.map((problem) => `${name}: ${problem}`));
  return plan;
}

function parseJson(text: string, name: string): unknown {
  try {
    // Some editors put a byte order mark first, which is no JSON.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError([`${name}: this is not JSON: ${errorText(error)}`]);
  }
}

function refuseNewer(value: unknown, name: string): void {
  const schema = typeof value === 'object' && value !== null && 'schema' in value ? value.schema : null;
  if (typeof schema !== 'number' || schema <= newestSchema) return;
  throw new UsageError([
    `${name}: a newer version of restart-chaos wrote this plan: it has schema ${schema}, this version reads up to ${newestSchema}`,
  ]);
}

function repeatedIds(plan: WavePlan): readonly string[] {
  const ids = plan.tasks.map(({ id }) => id);
  return ids.flatMap((id, index) => {
    const first = ids.indexOf(id);
    return first === index ? [] : [`tasks[${index}].id: ${id} is the id of tasks[${first}], too`];
  });
}

function targetProblems({ target }: WavePlan): readonly string[] {
  return refusals(() => parseTarget(target)).map((problem) => `target: ${problem}`);
}

function faultProblems(plan: WavePlan): readonly string[] {
  return plan.tasks.flatMap((task, taskIndex) =>
    task.faults.flatMap((fault, faultIndex) =>
      [
        ...parameterProblems(fault.kind, fault.parameters).map((problem) => `parameters: ${problem}`),
        ...providerFaultProblems([fault.kind], [task.adapter]),
        ...triggerProblemsOf(fault, plan.target, task.workload).map((problem) => `trigger: ${problem}`),
      ].map((problem) => `tasks[${taskIndex}].faults[${faultIndex}].${problem}`),
    ),
  );
}

/** A moment that no task of the plan comes to by itself is taken: who edits a plan may know better. */
function triggerProblemsOf({ kind, trigger }: PlannedFault, target: string, workload: WorkloadId): readonly string[] {
  if (trigger.on === 'stop') return stopProblems([workload]);
  if (trigger.on === 'time' || targetIsUnreadable(target)) return [];
  if (trigger.on === 'commit') {
    const wrong = refusals(() => parseCommitPattern(trigger.pattern));
    if (wrong.length > 0) return wrong;
  }
  const absent = absenceProblem(target, trigger);
  return absent === null ? kindProblem(kind, target, trigger) : [absent];
}

function targetIsUnreadable(target: string): boolean {
  return refusals(() => parseTarget(target)).length > 0;
}

/** What a reader refuses a text for; empty when it takes it. */
function refusals(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return error.problems;
  }
}
