/**
 * Waves that run side by side take turns with what needs the processors: a plane's first boot, and a task from its
 * creation until its fault is over. In between a plane mostly waits for its own timers, and costs little. Without turns
 * the boots of several planes fall together, and each takes many times as long. Nobody stands in line: whoever asks first
 * when a place is free gets it.
 */
import { join } from 'node:path';
import { longestTurnMs, type TurnsPlace } from '../model/options.ts';
import { tryHold, type HeldFile } from '../process/held-file.ts';
import { sleep } from '../process/wait.ts';

export interface Turn {
  /** Gives it to whoever waits; the second time nothing happens. Never rejects: a turn that is not given back ends with us. */
  end(): Promise<void>;
}

export interface Turns {
  /** Resolves when it is this wave's turn, or when `stop` is aborted: then nobody has to wait any more. */
  take(stop: AbortSignal): Promise<Turn>;
}

const lookIntervalMs = 500;

/** Null: this wave runs alone, and it is always its turn. */
export function createTurns(place: TurnsPlace | null): Turns {
  return {
    take: async (stop) => turnOf(place === null ? null : await awaitFree(place, stop)),
  };
}

async function awaitFree({ directory, places }: TurnsPlace, stop: AbortSignal): Promise<HeldFile | null> {
  const files = Array.from({ length: places }, (_, index) => join(directory, `turn-${index + 1}`));
  while (!stop.aborted) {
    for (const file of files) {
      const held = await tryHold(file);
      if (held !== null) return held;
    }
    await sleep(lookIntervalMs, stop).catch(() => undefined);
  }
  return null;
}

function turnOf(held: HeldFile | null): Turn {
  let left = held;
  const end = async (): Promise<void> => {
    clearTimeout(limit);
    const ending = left;
    left = null;
    await ending?.release().catch(() => undefined);
  };
  const limit = setTimeout(() => void end(), longestTurnMs);
  limit.unref();
  return { end };
}
