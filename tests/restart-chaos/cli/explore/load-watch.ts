/** Remembers how busy this machine was, to say it beside a plane that was not ready in time. Judges nothing. */
import { availableParallelism, loadavg } from 'node:os';

/** The mean of one minute, as the kernel counts it, and the processors that share it. */
export interface MachineLoad {
  readonly load: number;
  readonly processors: number;
}

export interface LoadWatch {
  /** At a time of the wall clock; null when nobody looked around it, as for a wave of an earlier session. */
  at(wallMs: number): MachineLoad | null;
  stop(): void;
}

const lookEveryMs = 10_000;

/** Looks now and from then on; does not keep the process alive. */
export function watchLoad(nowMs: () => number): LoadWatch {
  const looks: { readonly atMs: number; readonly load: number }[] = [];
  const look = (): void => void looks.push({ atMs: nowMs(), load: loadavg()[0] ?? 0 });
  look();
  const timer = setInterval(look, lookEveryMs);
  timer.unref();
  return {
    at: (wallMs) => {
      const nearest = looks
        .map(({ atMs, load }) => ({ load, awayMs: Math.abs(atMs - wallMs) }))
        .reduce((best, each) => (each.awayMs < best.awayMs ? each : best), { load: 0, awayMs: Infinity });
      if (nearest.awayMs > 3 * lookEveryMs) return null;
      return { load: nearest.load, processors: availableParallelism() };
    },
    stop: () => clearInterval(timer),
  };
}

/** Beside `the plane was not ready`. */
export function loadText(load: MachineLoad | null): string {
  const known = load === null ? 'is not known' : `was ${load.load.toFixed(1)} on ${load.processors} processors`;
  return `the load of this machine then ${known}; an overloaded one can be the reason`;
}
