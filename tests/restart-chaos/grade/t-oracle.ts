/** T oracle: the result is what the workload asked for, by the workload's own check. */
import type { TaskFacts } from '../model/facts.ts';
import { judged, unknown, type RuleResult } from '../model/finding.ts';
import type { OracleResult } from '../workloads/workload.ts';
import { wasCutOff } from './timeline.ts';

/** Pure: looks only at the facts. `unknown` names what was missing. */
export type Oracle = (facts: TaskFacts) => OracleResult;

/** Asks the workload; whatever it finds is reported under T. */
export function tOracle(facts: TaskFacts, oracle: Oracle): RuleResult {
  const judgement = oracle(facts);
  if ('unknown' in judgement) return unknown('T', judgement.unknown);
  if (judgement.findings.length > 0 && wasCutOff(facts)) {
    return unknown('T', 'the task was cut off before it came to rest');
  }
  return judged(
    'T',
    judgement.findings.map((finding) => ({ ...finding, rule: 'T' as const })),
  );
}
