/** How long a crash point's commit was held, and what its task committed meanwhile, from the write tape. */
import { patternOf } from '../../model/commit-pattern.ts';
import type { HeldPoint } from '../../model/exploration.ts';
import type { TaskId } from '../../model/ids.ts';
import type { WriteTransaction } from '../../model/tape.ts';
import type { ProvenStrike } from './point-strike.ts';

/**
 * Every other write of the task counts that ended after the tap stopped the commit and was asked for before the transaction was
 * settled: what the dying plane had sent at the strike can still be committed after it. One of which nobody knows how it
 * ended counts, too.
 */
export function holdOfPoint(
  task: TaskId,
  { held, struckAtMs, settledAtMs }: Pick<ProvenStrike, 'held' | 'struckAtMs' | 'settledAtMs'>,
  tape: readonly WriteTransaction[] | null,
): HeldPoint {
  const ms = Math.round(struckAtMs - held.heldAtMs);
  if (tape === null) return { ms, others: null };
  const meanwhile = tape.filter(
    ({ tasks, outcome, askedAtMs, endedAtMs }) =>
      tasks.includes(task) && outcome !== 'rolled_back' && endedAtMs >= held.heldAtMs && askedAtMs <= settledAtMs,
  );
  const heldText = JSON.stringify(held.statements);
  const own = meanwhile.find(({ statements }) => JSON.stringify(statements) === heldText);
  const others = meanwhile.filter((each) => each !== own);
  return {
    ms,
    others: others.map(({ statements, outcome }) => {
      const pattern = patternOf(statements);
      return outcome === 'unknown' ? `${pattern} (perhaps)` : pattern;
    }),
  };
}
