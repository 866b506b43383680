/** Stable names of failures. */
import type { TaskFacts } from '../model/facts.ts';
import type { Finding } from '../model/finding.ts';
import { signatureText, struckBy, type Signature, type TaskGrade } from '../model/record.ts';
import { decisiveFault } from './decisive-fault.ts';

/**
 * One signature per distinct name, with the first finding that bears it. A task that an interrupt cut off is no
 * failure of the plane: that finding stays in the grade and gets no name by which it would be known.
 */
export function signaturesOf(facts: TaskFacts, findings: readonly Finding[]): TaskGrade['signatures'] {
  const { id, adapter, temperament } = facts.plan;
  const ofPlane = findings.filter(({ code }) => code !== 'unfinished_at_interrupt');
  const named = ofPlane.map((finding) => {
    const fault = decisiveFault(facts, finding.atMs);
    const by = fault === null ? { fault: null } : struckBy(fault, id);
    const signature: Signature = { rule: finding.rule, code: finding.code, ...by, adapter, temperament };
    return { signature, text: signatureText(signature), finding };
  });
  return named.filter(({ text }, index) => named.findIndex((other) => other.text === text) === index);
}
