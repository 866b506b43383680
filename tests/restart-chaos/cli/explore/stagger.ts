/** Begins several planes one after another, because their first boots at the same moment are the worst there is. */

/**
 * Runs `planes` side by side. Each begins when the one before says that its start is over, or has ended; resolves when all
 * have, each in its own way. Never rejects.
 */
export async function runStaggered(
  planes: number,
  run: (startIsOver: () => void) => Promise<void>,
): Promise<readonly PromiseSettledResult<void>[]> {
  let turn = Promise.resolve();
  const running = Array.from({ length: planes }, () => {
    const ownTurn = turn;
    let startIsOver = (): void => undefined;
    turn = new Promise((resolve) => {
      startIsOver = resolve;
    });
    return ownTurn.then(() => run(startIsOver)).finally(startIsOver);
  });
  return Promise.allSettled(running);
}
