/** The wave's clock: monotonic, starting at zero when it is created. Everything recorded carries its time. */
import { performance } from 'node:perf_hooks';
import type { Clock } from '../model/event.ts';

/** A clock that starts now. */
export function createClock(): Clock {
  const origin = performance.now();
  return { nowMs: () => Math.round((performance.now() - origin) * 1000) / 1000 };
}
