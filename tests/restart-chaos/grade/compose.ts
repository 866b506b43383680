/**
 * One task's grade: assumptions first, then every rule, then one verdict. Fail beats unknown beats pass; a rule that
 * throws is unknown with the error's text; a task whose fault did not land is invalid and does not count. A rule that
 * stands beside the others can fail a task, and leaves no doubt about it (doc/decisions/rules-beside.md).
 */
import { errorText } from '../model/errors.ts';
import type { TaskFacts } from '../model/facts.ts';
import { isBeside, unknown, type RuleId, type RuleResult, type Verdict } from '../model/finding.ts';
import type { TaskGrade } from '../model/record.ts';
import { workloads } from '../workloads/catalogue.ts';
import { unmetAssumptions, type UnmetAssumption } from './assumptions.ts';
import { crossingsOf } from './crossing.ts';
import { n1Intent } from './n1-intent.ts';
import { n2EffectsOnce } from './n2-effects-once.ts';
import { n5Truth } from './n5-truth.ts';
import { r1Settles } from './r1-settles.ts';
import { r2NothingLost } from './r2-nothing-lost.ts';
import { r3NoHumanRetry } from './r3-no-human-retry.ts';
import { r4Once } from './r4-once.ts';
import { r5NoStall } from './r5-no-stall.ts';
import { r6CleanRest } from './r6-clean-rest.ts';
import { signaturesOf } from './signature.ts';
import { continuationOf, speedOf } from './speed.ts';
import { tOracle, type Oracle } from './t-oracle.ts';
import { restOf } from './timeline.ts';

// Every workload there is asks for an issue that ends done.
const expectedStatus = 'done';

/**
 * Judges one task from what is on disk. A function of its arguments; never throws. The oracle is that of the task's
 * workload unless a test brings its own.
 */
export function gradeTask(facts: TaskFacts, oracle: Oracle = workloadOracle): TaskGrade {
  const unmet = unmetAssumptions(facts);
  const rules = rulesOf(facts, oracle).map((result) => underAssumptions(result, unmet));
  const verdict = verdictOf(rules, unmet);
  const rest = restOf(facts)?.rest ?? null;
  return {
    schema: 1,
    task: facts.plan.id,
    verdict,
    because: becauseOf(verdict, rules, unmet),
    crossedBy: crossingsOf(facts).crossed.map(({ fault, offsetMs }) => ({
      ref: fault.ref,
      kind: fault.kind,
      offsetMs,
    })),
    rules,
    signatures: signaturesOf(
      facts,
      rules.flatMap((result) => (result.verdict === 'fail' ? result.findings : [])),
    ),
    continuation: continuationOf(facts, expectedStatus),
    restStatus: rest?.status ?? null,
    restReason: rest?.reason ?? null,
    speed: speedOf(facts),
  };
}

function workloadOracle(facts: TaskFacts): ReturnType<Oracle> {
  return workloads[facts.plan.workload].oracle(facts);
}

function rulesOf(facts: TaskFacts, oracle: Oracle): readonly RuleResult[] {
  return [
    guarded('R1', () => r1Settles(facts, expectedStatus)),
    guarded('R2', () => r2NothingLost(facts)),
    guarded('R3', () => r3NoHumanRetry(facts, expectedStatus)),
    guarded('R4', () => r4Once(facts)),
    guarded('R5', () => r5NoStall(facts)),
    guarded('R6', () => r6CleanRest(facts)),
    guarded('T', () => tOracle(facts, oracle)),
    guarded('N1', () => n1Intent(facts)),
    guarded('N2', () => n2EffectsOnce(facts)),
    guarded('N5', () => n5Truth(facts)),
  ];
}

function guarded(rule: RuleId, grade: () => RuleResult): RuleResult {
  try {
    return grade();
  } catch (error) {
    return unknown(rule, `the rule itself failed: ${errorText(error)}`);
  }
}

/** Takes away the passes that an unmet assumption forbids. Findings stay readable, also where they do not count. */
function underAssumptions(result: RuleResult, unmet: readonly UnmetAssumption[]): RuleResult {
  const reason = unmet[0];
  if (reason === undefined || result.verdict === 'unknown') return result;
  // That the wave was interrupted before the task ended is known even when nothing else is.
  const certain = result.findings.some(({ code }) => code === 'unfinished_at_interrupt');
  const voids = unmet.some(({ effect }) => effect === 'invalid' || (effect === 'blind' && !certain));
  if (result.verdict === 'fail' && !voids) return result;
  return { ...result, verdict: 'unknown', unknownBecause: reason.because };
}

function verdictOf(rules: readonly RuleResult[], unmet: readonly UnmetAssumption[]): Verdict {
  if (unmet.some(({ effect }) => effect === 'invalid')) return 'invalid';
  if (rules.some(({ verdict }) => verdict === 'fail')) return 'fail';
  return rules.some(({ rule, verdict }) => verdict === 'unknown' && !isBeside(rule)) ? 'unknown' : 'pass';
}

function becauseOf(
  verdict: Verdict,
  rules: readonly RuleResult[],
  unmet: readonly UnmetAssumption[],
): readonly string[] {
  if (verdict !== 'unknown' && verdict !== 'invalid') return [];
  if (unmet.length > 0) return unmet.map(({ because }) => because);
  return rules.flatMap(({ rule, unknownBecause }) =>
    unknownBecause === null || isBeside(rule) ? [] : [`${rule}: ${unknownBecause}`],
  );
}
