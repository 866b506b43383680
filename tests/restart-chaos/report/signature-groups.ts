/**
 * Failures of one wave as people read them: one group for a rule, a code and a fault, whoever the agents were. The
 * signatures themselves, which tell agents apart, are what is new or known.
 */
import { ruleIds, type Finding, type RuleId } from '../model/finding.ts';
import type { TaskId } from '../model/ids.ts';
import type { WorkloadId } from '../model/plan.ts';
import { struckByText, type Signature, type WaveRecord } from '../model/record.ts';

export interface SignatureGroup {
  /** `R6 left_lease · K1 · scripted, process · fragile`. */
  readonly text: string;
  readonly rule: RuleId;
  readonly fault: Signature['fault'];
  /** Distinct, in the order of the tasks. */
  readonly signatures: readonly NamedSignature[];
  /** At least one, in task order. */
  readonly cases: readonly FailureCase[];
}

export interface NamedSignature {
  readonly text: string;
  readonly signature: Signature;
}

export interface FailureCase extends NamedSignature {
  readonly task: TaskId;
  readonly workload: WorkloadId;
  readonly identifier: string | null;
  readonly finding: Finding;
}

/** The groups in the order of the rules, then of the first task that shows them. */
export function groupSignatures(record: WaveRecord): readonly SignatureGroup[] {
  const groups = new Map<string, FailureCase[]>();
  for (const { plan, identifier, grade } of record.tasks) {
    for (const { signature, text, finding } of grade.signatures) {
      const name = `${signature.rule} ${signature.code} · ${struckByText(signature)}`;
      const entry = { task: plan.id, workload: plan.workload, identifier, finding, text, signature };
      groups.set(name, [...(groups.get(name) ?? []), entry]);
    }
  }
  return [...groups]
    .map(([name, cases]) => groupOf(name, cases))
    .toSorted((a, b) => ruleIds.indexOf(a.rule) - ruleIds.indexOf(b.rule));
}

function groupOf(name: string, cases: readonly FailureCase[]): SignatureGroup {
  const signatures = cases.filter(({ text }, index) => cases.findIndex((other) => other.text === text) === index);
  const each = (part: 'adapter' | 'temperament'): string =>
    [...new Set(signatures.map(({ signature }) => signature[part]))].join(', ');
  const [first] = signatures;
  return {
    text: `${name} · ${each('adapter')} · ${each('temperament')}`,
    rule: first?.signature.rule ?? 'R1',
    fault: first?.signature.fault ?? null,
    signatures,
    cases,
  };
}

/** The tasks that show a failure, each once. */
export function tasksOf(group: SignatureGroup): readonly TaskId[] {
  return [...new Set(group.cases.map((entry) => entry.task))];
}

/** Whether some of it was never seen before. */
export function isNewGroup(group: SignatureGroup, newTexts: readonly string[]): boolean {
  return group.signatures.some(({ text }) => newTexts.includes(text));
}
