/** One row of a rule's table: a situation, its facts, and what the rule must say about them. */
import type { TaskFacts } from '../model/facts.ts';
import type { RuleResult } from '../model/finding.ts';

export interface RuleRow {
  readonly situation: string;
  readonly facts: TaskFacts;
  readonly verdict: RuleResult['verdict'];
  /** Codes of a failure, in order. */
  readonly codes?: readonly string[];
}

/** The row's title: `<situation> – pass|fail|unknown`. */
export function titled(rows: readonly RuleRow[]): readonly (readonly [string, RuleRow])[] {
  return rows.map((row) => [`${row.situation} – ${row.verdict}`, row]);
}

/** What is compared: verdict and codes. */
export function outcomeOf(result: RuleResult): { readonly verdict: string; readonly codes: readonly string[] } {
  return { verdict: result.verdict, codes: result.findings.map(({ code }) => code) };
}

/** What the row expects, in the same form. */
export function expectedOf(row: RuleRow): { readonly verdict: string; readonly codes: readonly string[] } {
  return { verdict: row.verdict, codes: row.codes ?? [] };
}
