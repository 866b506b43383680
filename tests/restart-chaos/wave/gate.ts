/**
 * Keeps faults and reads of the plane apart: many readers at a time or one strike (a fault, a recovery). Without it a
 * fault could strike in the middle of a task's collection, and the harness would report its own missing reads. A waiting
 * strike goes before readers that come after it.
 */
export class Gate {
  readonly #readers = new Set<Promise<unknown>>();
  #lastStrike: Promise<unknown> = Promise.resolve();
  #strikes = 0;

  /** Runs while no strike is in progress or waiting. */
  async reading<T>(act: () => Promise<T>): Promise<T> {
    await this.quiet();
    return this.#read(act);
  }

  /** The same, or null at once when a strike is in progress or waiting: then what was about to be read may change. */
  async readingNow<T>(act: () => Promise<T>): Promise<T | null> {
    return this.#strikes > 0 ? null : this.#read(act);
  }

  /** Resolves when no strike is in progress or waiting; what the caller does then may be struck. */
  async quiet(): Promise<void> {
    while (this.#strikes > 0) await this.#lastStrike;
  }

  /** Runs alone, after the strikes asked for before it and the readers under way. */
  async striking<T>(act: () => Promise<T>): Promise<T> {
    const before = this.#lastStrike;
    const running = (async () => {
      await before;
      await Promise.allSettled(this.#readers);
      return act();
    })();
    this.#strikes += 1;
    this.#lastStrike = running.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await running;
    } finally {
      this.#strikes -= 1;
    }
  }

  async #read<T>(act: () => Promise<T>): Promise<T> {
    const running = act();
    this.#readers.add(running);
    try {
      return await running;
    } finally {
      this.#readers.delete(running);
    }
  }
}
