/** The shape every fault of the catalogue has, and what can be computed from its steps alone. */
import type { FaultKind, FaultParameters, FaultStep } from '../model/fault.ts';
import type { Numbers } from '../model/numbers.ts';
import type { RandomStream } from '../model/random.ts';

/** One parameter of a fault: a whole number, drawn from the seed, or written by hand into a plan. */
export interface ParameterRange {
  readonly name: string;
  /** What a draw can give, both ends included (doc/rules.md, "Numbers"). */
  readonly drawn: { readonly min: number; readonly max: number };
  /** What a plan edited by hand may say. Wider than `drawn` where a fixer may want a shorter or longer wait. */
  readonly allowed: { readonly min: number; readonly max: number };
}

/**
 * A fault as data. `draw` is the only place with randomness and gives unscaled parameters; `steps` is a pure
 * function of them and of the numbers of the wave, so that a saved plan gives the same steps again.
 */
export interface FaultDefinition {
  readonly kind: FaultKind;
  /** One or two words for people: `crash`. */
  readonly title: string;
  /** How many cards of this kind lie in the deck that a plan deals its faults from. */
  readonly weight: number;
  readonly ranges: readonly ParameterRange[];
  draw(random: RandomStream): FaultParameters;
  steps(parameters: FaultParameters, numbers: Numbers): readonly FaultStep[];
  /** What is worth knowing about drawn parameters in one line, as it will happen; empty when there is nothing. */
  describe(parameters: FaultParameters, numbers: Numbers): string;
}

/** Draws every parameter of a list of ranges, in their order. */
export function drawFrom(ranges: readonly ParameterRange[], random: RandomStream): FaultParameters {
  return Object.fromEntries(ranges.map(({ name, drawn }) => [name, random.integer(drawn.min, drawn.max)]));
}

/** A hold as it will be waited for: the drawn length, shortened by the time scale. Zero stays zero. */
export function scaledHoldMs(holdMs: number, numbers: Numbers): number {
  return Math.round(holdMs * numbers.timeScale);
}

/** `187 s`, `1.2 s`: one decimal below ten seconds. */
export function secondsText(ms: number): string {
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`;
}
