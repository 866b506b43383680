/** The words, letters and shapes in which the outcomes of an exploration are told. */
import type { CrashEffect, OutcomeReason, PointOutcome } from '../model/exploration.ts';

/** `untried`: no wave had the point yet. */
export type PointState = CrashEffect | 'untried';

export const pointStates: readonly PointState[] = ['safe', 'lost', 'broke', 'down', 'unproven', 'untried'];

export const stateWords: Readonly<
  Record<PointState, { readonly letter: string; readonly word: string; readonly says: string }>
> = {
  safe: { letter: 'S', word: 'safe', says: 'the task was done, and every rule held that could be checked' },
  lost: { letter: 'L', word: 'lost', says: 'the task was not done, or something of it was lost' },
  broke: { letter: 'B', word: 'broke', says: 'the task was done, and another promise was broken' },
  down: { letter: 'D', word: 'down', says: 'the plane did not become ready again' },
  unproven: {
    letter: '?',
    word: 'unproven',
    says: 'the crash could not be shown to have struck there, or its outcome could not be checked',
  },
  untried: { letter: '·', word: 'untried', says: 'no wave had it yet' },
};

export const reasonWords: Readonly<Record<OutcomeReason, string>> = {
  never_met: 'the task did not make this commit',
  not_landed: 'the fault did not land',
  unknown: 'the fault landed, and the outcome could not be checked',
  wave_failed: 'the wave left no verdict on it',
  leftover: 'its wave left something that nobody owns, and had other points, too',
  not_back: 'the plane was not ready again in time',
  wave_trouble: 'the plane or its company did not stay as it was',
};

/** `safe`, or `safe (N5 not judged)`: a rule that could not be checked did not hold. */
export function effectText({ effect, unjudged }: Pick<PointOutcome, 'effect' | 'unjudged'>): string {
  const { word } = stateWords[effect];
  const left = effect === 'safe' ? (unjudged ?? []) : [];
  return left.length === 0 ? word : `${word} (${left.join(', ')} not judged)`;
}

/** What a commit writes, with its number when it is not the first that this fits: `update agents #2`. */
export function commitText({ pattern, occurrence }: { readonly pattern: string; readonly occurrence: number }): string {
  return occurrence === 1 ? pattern : `${pattern} #${occurrence}`;
}
