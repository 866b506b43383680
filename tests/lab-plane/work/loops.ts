/**
 * What the plane does by itself while it is ready: dispatch, watch, sweep. Each loop does one thing after another, goes on
 * after an error, and does nothing while the lock of the database is lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Plane } from '../plane.ts';
import { dispatch } from './dispatch.ts';
import { sweepAll } from './recover.ts';
import { carryOutStops } from './stop.ts';
import { watchRuns } from './watch.ts';

export interface Loops {
  /** Resolves when nothing of them is under way any more, and no process is being started. */
  stop(): Promise<void>;
}

export function startLoops(plane: Plane): Loops {
  const { tick, watch, sweep } = plane.settings.timers;
  const dispatching = startLoop(plane, tick, () => dispatch(plane));
  const watching = startLoop(plane, watch, () => watchRuns(plane));
  const sweeping = startLoop(plane, sweep, async () => {
    await carryOutStops(plane);
    await sweepAll(plane);
  });
  plane.poke = dispatching.poke;
  dispatching.poke();
  return {
    stop: async () => {
      await Promise.all([dispatching.stop(), watching.stop(), sweeping.stop()]);
      while (plane.starting.size > 0) await sleep(10);
    },
  };
}

interface Loop {
  poke(): void;
  stop(): Promise<void>;
}

function startLoop(plane: Plane, everyMs: number, act: () => Promise<void>): Loop {
  let isStopping = false;
  let wake = (): void => undefined;
  let isPoked = false;
  const pause = async (): Promise<void> => {
    if (isPoked || isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, everyMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  };
  const run = async (): Promise<void> => {
    while (!isStopping) {
      await pause();
      isPoked = false;
      if (isStopping || !plane.lock.isHeld()) continue;
      await act().catch((error: unknown) => plane.log(`will try again: ${String(error)}`));
    }
  };
  const ended = run();
  return {
    poke: () => {
      isPoked = true;
      wake();
    },
    stop: () => {
      isStopping = true;
      wake();
      return ended;
    },
  };
}
