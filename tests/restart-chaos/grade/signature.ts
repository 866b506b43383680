/** Stable names of failures, and which of them a wave without faults shows as well. */
import type { TaskFacts } from '../model/facts.ts';
import type { Finding } from '../model/finding.ts';
import { signatureText, type Signature, type TaskGrade } from '../model/record.ts';
import { decisiveFault } from './decisive-fault.ts';

/** One signature per distinct name, with the first finding that bears it. */
export function signaturesOf(facts: TaskFacts, findings: readonly Finding[]): TaskGrade['signatures'] {
  const fault = decisiveFault(facts);
  const { adapter, temperament } = facts.plan;
  const named = findings.map((finding) => {
    const signature: Signature = { rule: finding.rule, code: finding.code, fault, adapter, temperament };
    return { signature, text: signatureText(signature), finding };
  });
  return named.filter(({ text }, index) => named.findIndex((other) => other.text === text) === index);
}

/**
 * The texts of those signatures of a wave that its control arm shows too: `not_caused_by_fault`. The fault of a
 * signature does not matter for this; rule, code, adapter and temperament do.
 */
export function labelAgainstControl(wave: readonly Signature[], control: readonly Signature[]): ReadonlySet<string> {
  const withoutFault = new Set(control.map(causeKey));
  return new Set(wave.filter((signature) => withoutFault.has(causeKey(signature))).map(signatureText));
}

function causeKey({ rule, code, adapter, temperament }: Signature): string {
  return signatureText({ rule, code, fault: null, adapter, temperament });
}
