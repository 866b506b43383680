/** One broken promise as data, and what rules return. */

export type Verdict = 'pass' | 'fail' | 'unknown' | 'invalid';

export const ruleIds = ['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'T', 'N1', 'N2', 'N5'] as const;
export type RuleId = (typeof ruleIds)[number];

/**
 * Whether a rule stands beside the others: what it finds is a failure, and what it cannot see is told and takes
 * nothing away, because not every target and wave can show it.
 */
export function isBeside(rule: RuleId): boolean {
  return rule.startsWith('N');
}

/** One broken promise. `code` is a stable name without ids or times; those stand beside it. */
export interface Finding {
  readonly rule: RuleId;
  readonly code: string;
  readonly expected: string;
  readonly seen: string;
  /** When it was seen, on the wave's clock; null when it has no moment. */
  readonly atMs: number | null;
  readonly ids: readonly string[];
  /** Files of the bundle to open, relative to the task's folder. */
  readonly evidence: readonly string[];
}

/** What one rule says about one task. `unknown` names what was missing. */
export interface RuleResult {
  readonly rule: RuleId;
  readonly verdict: 'pass' | 'fail' | 'unknown';
  readonly findings: readonly Finding[];
  readonly unknownBecause: string | null;
}

/** The promise held. */
export function pass(rule: RuleId): RuleResult {
  return { rule, verdict: 'pass', findings: [], unknownBecause: null };
}

/** The promise could not be checked, and why. */
export function unknown(rule: RuleId, because: string): RuleResult {
  return { rule, verdict: 'unknown', findings: [], unknownBecause: because };
}

/** Fails when there is a finding, passes when there is none. */
export function judged(rule: RuleId, findings: readonly Finding[]): RuleResult {
  return findings.length === 0 ? pass(rule) : { rule, verdict: 'fail', findings, unknownBecause: null };
}
