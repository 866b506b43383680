/** Arithmetic on stretches of time of the wave's clock. */

/** Half open: `fromMs` belongs to it, `toMs` does not. */
export interface TimeWindow {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The same time as windows that neither touch nor overlap, in order. */
export function mergeWindows(windows: readonly TimeWindow[]): readonly TimeWindow[] {
  const merged: TimeWindow[] = [];
  const ordered = windows.filter(({ fromMs, toMs }) => toMs > fromMs);
  for (const window of ordered.sort((left, right) => left.fromMs - right.fromMs)) {
    const last = merged.at(-1);
    if (last === undefined || window.fromMs > last.toMs) merged.push(window);
    else merged[merged.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, window.toMs) };
  }
  return merged;
}

/** How long two windows hold at the same time. */
export function overlapMs(left: TimeWindow, right: TimeWindow): number {
  return Math.max(0, Math.min(left.toMs, right.toMs) - Math.max(left.fromMs, right.fromMs));
}

/** How much of `window` none of the merged windows covers. */
export function uncoveredMs(window: TimeWindow, covers: readonly TimeWindow[]): number {
  const covered = covers.reduce((sum, cover) => sum + overlapMs(window, cover), 0);
  return Math.max(0, window.toMs - window.fromMs - covered);
}

/** The moment at which `durationMs` have passed since `fromMs`, not counting the merged windows. */
export function afterUncovered(fromMs: number, durationMs: number, covers: readonly TimeWindow[]): number {
  let atMs = fromMs + durationMs;
  for (const cover of covers) {
    if (cover.toMs <= fromMs || cover.fromMs >= atMs) continue;
    atMs += cover.toMs - Math.max(cover.fromMs, fromMs);
  }
  return atMs;
}
