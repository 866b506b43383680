/** The exit code of an exploration, from what is known at its end. */
import { latestOutcomes, type Exploration } from '../../model/exploration.ts';
import { exitCode, type ExitCode } from '../../model/exit-code.ts';

/**
 * 2 when it was interrupted, or a point could not be proven; else 1 when a point failed, 0 when every point that was
 * explored survived, 4 when none was. Points that a budget left out were not asked for.
 */
export function exploreExitCode(exploration: Exploration): ExitCode {
  const end = exploration.sessions.at(-1)?.end ?? null;
  if (end !== 'finished' && end !== 'budget_spent') return exitCode.harness;
  const effects = [...latestOutcomes(exploration).values()].map(({ effect }) => effect);
  if (effects.length === 0) return exitCode.inconclusive;
  if (effects.includes('unproven')) return exitCode.harness;
  return effects.every((effect) => effect === 'safe') ? exitCode.passed : exitCode.failed;
}
