/** Failures of one wave, grouped by their stable name. */
import { ruleIds, type Finding } from '../model/finding.ts';
import type { TaskId } from '../model/ids.ts';
import type { WorkloadId } from '../model/plan.ts';
import type { Signature, WaveRecord } from '../model/record.ts';

export interface SignatureGroup {
  readonly text: string;
  readonly signature: Signature;
  /** At least one, in task order. */
  readonly cases: readonly {
    readonly task: TaskId;
    readonly workload: WorkloadId;
    readonly identifier: string | null;
    readonly finding: Finding;
  }[];
}

/** The groups in the order of the rules, then of the first task that shows them. */
export function groupSignatures(record: WaveRecord): readonly SignatureGroup[] {
  const groups = new Map<string, { text: string; signature: Signature; cases: SignatureGroup['cases'][number][] }>();
  for (const { plan, identifier, grade } of record.tasks) {
    for (const { signature, text, finding } of grade.signatures) {
      const group = groups.get(text) ?? { text, signature, cases: [] };
      group.cases.push({ task: plan.id, workload: plan.workload, identifier, finding });
      groups.set(text, group);
    }
  }
  return [...groups.values()].toSorted((a, b) => ruleIds.indexOf(a.signature.rule) - ruleIds.indexOf(b.signature.rule));
}

/** The tasks that show a failure, each once. */
export function tasksOf(group: SignatureGroup): readonly TaskId[] {
  return [...new Set(group.cases.map((entry) => entry.task))];
}
