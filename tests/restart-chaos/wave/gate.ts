/**
 * Keeps faults and reads of the plane apart: many readers at a time or one fault. Without it a fault could strike
 * in the middle of a task's collection, and the harness would report its own missing reads. A waiting fault goes
 * before readers that come after it, so that its moment slips by one read at most.
 */
export interface Gate {
  /** Runs while no fault is in progress. */
  reading<T>(act: () => Promise<T>): Promise<T>;
  /** Runs alone. */
  striking<T>(act: () => Promise<T>): Promise<T>;
}

/** An open gate. */
export function createGate(): Gate {
  const readers = new Set<Promise<unknown>>();
  let strike: Promise<unknown> = Promise.resolve();
  let striking = 0;

  async function reading<T>(act: () => Promise<T>): Promise<T> {
    while (striking > 0) await strike;
    const running = act();
    readers.add(running);
    const settled = (): void => void readers.delete(running);
    running.then(settled, settled);
    return running;
  }

  async function exclusive<T>(before: Promise<unknown>, act: () => Promise<T>): Promise<T> {
    await before;
    await Promise.allSettled(readers);
    return act();
  }

  async function run<T>(act: () => Promise<T>): Promise<T> {
    striking += 1;
    const running = exclusive(strike, act);
    strike = running.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await running;
    } finally {
      striking -= 1;
    }
  }

  return { reading, striking: run };
}
