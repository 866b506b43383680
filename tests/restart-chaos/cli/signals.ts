/**
 * Ctrl-C: once ends the wave in order, twice at once. A terminal and the programs between it and us (npm, tsx) can
 * each pass the same key press on, so signals within a second of the first are one.
 */

export interface SignalWatch {
  stop(): void;
}

const graceMs = 1_000;

/** Calls back with 1 for the first signal and 2 for the next one after the grace. */
export function watchSignals(onSignal: (signal: NodeJS.Signals, count: 1 | 2) => void): SignalWatch {
  const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  let firstAtMs: number | null = null;
  const listener = (signal: NodeJS.Signals): void => {
    const nowMs = performance.now();
    if (firstAtMs === null) {
      firstAtMs = nowMs;
      onSignal(signal, 1);
    } else if (nowMs - firstAtMs > graceMs) onSignal(signal, 2);
  };
  for (const signal of signals) process.on(signal, listener);
  return {
    stop: () => {
      for (const signal of signals) process.off(signal, listener);
    },
  };
}
