/** Middle and spread of a handful of measurements. Pure. */

export interface Spread {
  readonly median: number;
  /** First and third quartile: half of all measurements lie between them. */
  readonly low: number;
  readonly high: number;
}

/** Median and quartiles, between neighbours by straight line. NaN everywhere when there are no measurements. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((left, right) => left - right);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

/** `1234 (1200–1300)`, rounded to `digits` behind the point. */
export function spreadText({ median, low, high }: Spread, digits = 0): string {
  return `${median.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
}

function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}
