/** What the rules of a whole wave return: promises that the plane keeps or breaks, and no single task. */

export const waveRuleIds = ['N7'] as const;
export type WaveRuleId = (typeof waveRuleIds)[number];

/** One broken promise. `code` is a stable name without ids or times; those stand beside it. */
export interface WaveFinding {
  readonly rule: WaveRuleId;
  readonly code: string;
  readonly expected: string;
  readonly seen: string;
  /** When it was seen, on the wave's clock. */
  readonly atMs: number;
}

/** What one rule says about the wave. `unknownBecause`: what could not be told, also beside a failure; empty for a pass. */
export interface WaveRuleResult {
  readonly rule: WaveRuleId;
  readonly verdict: 'pass' | 'fail' | 'unknown';
  readonly findings: readonly WaveFinding[];
  readonly unknownBecause: readonly string[];
}

/** A finding fails the rule; without one, a doubt makes it unknown. */
export function judgedWave(
  rule: WaveRuleId,
  findings: readonly WaveFinding[],
  unknownBecause: readonly string[],
): WaveRuleResult {
  const verdict = findings.length > 0 ? 'fail' : unknownBecause.length > 0 ? 'unknown' : 'pass';
  return { rule, verdict, findings, unknownBecause };
}
